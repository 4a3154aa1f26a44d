import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { fillLibrary } from '../../../support/large-library.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { acme } from '../../library/db/sample.ts'
import { canMount, mountSmallDisk } from '../../library/log/small-disk.ts'
import { aRun, reportOf } from './library.ts'

describe.skipIf(!canMount())('a library on a full disk', () => {
  /** A library of many versions, each with a small file. */
  async function aFilledLibrary() {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const folder = join(disk.folder, 'library')
    const size = { materials: 20, versions: 2000, callbacks: 0 }
    await (await openGalley({ folder })).close()
    await fillLibrary(folder, acme, size)
    for (let at = 0; at < size.versions; at += 1) {
      const name = createHash('sha256').update(`k${at}`).digest('hex')
      await writeFile(join(folder, 'files', name.charAt(0), name), 'kept')
    }
    const lines: string[] = []
    const open = async () => {
      const galley = await openGalley({ folder, log: (line) => void lines.push(line) })
      onTestFinished(() => galley.close())
      return galley
    }
    return { disk, lines, open, old: size.versions - size.materials }
  }

  it.each(['read_only', 'whole'])(
    'is pruned of more than its reserve could write down, opened as %s',
    async (state) => {
      const { disk, lines, open, old } = await aFilledLibrary()
      const before = state === 'whole' ? await open() : null
      disk.fill(0)
      const { library, care } = before ?? (await open())
      expect(library.state).toBe(state)
      const wish = { site: null, retention: { keepVersions: 1, keepDays: null }, dryRun: false }
      expect(await reportOf(care.prune(wish, aRun()))).toMatchObject({ versions: old, files: old })
      expect(lines).toEqual([
        'Galley gave back the reserve of the library, to have room for deleting.',
        'The reserve was made again.',
      ])
    },
  )
})
