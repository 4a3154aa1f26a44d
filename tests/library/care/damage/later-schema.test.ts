import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { NewerLibraryError } from '../../../../packages/library/db/database/other-versions.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { pack, setVersion, today } from '../../db/other-schema.ts'
import { copyOf, forever, makeLibrary, openQuickly, removeIndex } from './library.ts'

test('a library whose log was folded by a later version of Galley is refused as such, and nothing is changed', async () => {
  const made = await makeLibrary()
  onTestFinished(() => made.remove())
  const folder = await copyOf(made.folder)
  const library = await openQuickly(folder)
  await library.foldLog(forever)
  library.close()
  const [name = ''] = await readdir(join(folder, 'checkpoints'))
  const checkpoint = join(folder, 'checkpoints', name)
  const later = join(await temporaryFolder(), 'later.db')
  await writeFile(later, await readFile(join(folder, 'index.db')))
  await setVersion(later, today + 1)
  await pack(later, checkpoint)
  await setVersion(join(folder, 'index.db'), today + 1)
  const index = await readFile(join(folder, 'index.db'))
  for (const which of ['index', 'checkpoint']) {
    await expect(openQuickly(folder), which).rejects.toThrow(NewerLibraryError)
    if (which === 'index') expect((await readFile(join(folder, 'index.db'))).equals(index)).toBe(true)
    expect(existsSync(checkpoint), which).toBe(true)
    await removeIndex(folder)
  }
})
