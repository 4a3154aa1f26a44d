import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { fillLibrary } from '../../support/large-library.ts'
import { openGalley } from '../../support/open-galley.ts'
import { acme } from '../db/sample.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'
import { aRun, reportOf } from './library.ts'

describe.skipIf(!canMount())('a library on a full disk', () => {
  it('is pruned of more than its reserve could write down at once', async () => {
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
    disk.fill(0)
    const lines: string[] = []
    const galley = await openGalley({ folder, log: (line) => void lines.push(line) })
    onTestFinished(() => galley.close())
    expect(galley.library.state).toBe('read_only')
    const wish = { site: null, retention: { keepVersions: 1, keepDays: null }, dryRun: false }
    const { versions, files } = await reportOf(galley.care.prune(wish, aRun()))
    expect([versions, files]).toEqual([size.versions - size.materials, size.versions - size.materials])
    expect(lines).toEqual([
      'Galley gave back the reserve of the library, to have room for deleting.',
      'The reserve was made again.',
    ])
  })
})
