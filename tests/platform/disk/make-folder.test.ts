import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { makeFolder } from '../../../packages/platform/disk/make-folder.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

it('creates a folder and its parents, and can be repeated', async () => {
  const root = await temporaryFolder()
  await Promise.all([makeFolder(join(root, 'a', 'b', 'c'), 0o700), makeFolder(join(root, 'a', 'b', 'd'), 0o700)])
  await makeFolder(join(root, 'a', 'b', 'c'))
  expect((await readdir(join(root, 'a', 'b'))).toSorted()).toEqual(['c', 'd'])
  if (process.platform !== 'win32') expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700)
})

it('fails if a file is in the way', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'EEXIST' })
})

it.runIf(process.platform === 'linux')(
  'fails where a folder takes nothing new, where Node itself would never end',
  async () => {
    await expect(makeFolder('/proc/galley/library')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)
