import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import type { Sha256 } from '../../../src/contract/ids.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, reportOf, someFiles } from './library.ts'

const collect = ({ care }: CaredLibrary, dryRun = false) => reportOf(care.collect({ dryRun }, aRun()))
const check = ({ care }: CaredLibrary) => reportOf(care.check({ repair: false }, aRun()))

/** Takes a version out of the index past everything of ours. */
const forget = ({ db }: CaredLibrary, versionId: string) =>
  db.exec(`PRAGMA foreign_keys = ON; UPDATE material SET current_version = NULL;
    DELETE FROM version WHERE version_id = '${versionId}'; DELETE FROM callback WHERE version_id = '${versionId}';
    UPDATE material SET version_count = (SELECT count(*) FROM version), current_version = (SELECT max(id) FROM version),
      total_bytes = (SELECT sum(size_bytes) FROM version)`)

describe('collecting', () => {
  it('finds nothing in a library where everything is needed', async () => {
    const library = await aCaredLibrary()
    await library.save({ files: someFiles('one') })
    await library.saveFonts('snap', {
      'vms_fonts/a.woff': 'x',
      'vms_fonts.css': 'a{}',
      'vms_fonts.json': '{"list":[]}',
    })
    const before = await library.filesOf()
    expect(await collect(library)).toEqual({ isDryRun: false, blobs: 0, files: 0, bytes: 0 })
    expect(await library.filesOf()).toEqual(before)
  })

  it('deletes what only a forgotten version needed, as the dry run says, and what others share stays', async () => {
    const library = await aCaredLibrary()
    const shared = { 'logo.png': 'the same', 'film.bin': Buffer.alloc(80_000, 7) }
    for (const versionId of ['one', 'two'])
      await library.save({ versionId, files: { ...shared, ...someFiles(versionId) } })
    const before = await library.filesOf()
    forget(library, 'one')
    const foretold = await collect(library, true)
    expect(await library.filesOf()).toEqual(before)
    // The archive and the large file; the pack stays, since the shared logo lies in it.
    expect(foretold).toMatchObject({ isDryRun: true, files: 2 })
    expect(foretold.bytes).toBeGreaterThan(100_000)
    expect(await collect(library)).toEqual({ ...foretold, isDryRun: false })
    expect(await library.filesOf()).toHaveLength(before.length - 2)
    expect(await collect(library)).toMatchObject({ blobs: 0, files: 0 })
    expect(await check(library)).toMatchObject({ ok: true, findings: [] })
  })

  it('deletes orphans, what a repair has set aside, and what a save that died has left, but not what one needs', async () => {
    const library = await aCaredLibrary()
    const orphan = library.vault.pathOf(createHash('sha256').update('x').digest('hex') as Sha256)
    await writeFile(orphan, 'x')
    await library.vault.orphans('set aside')
    await writeFile(orphan, 'x')
    const running = await library.vault.stage()
    await writeFile(join(running, 'archive.zip'), 'coming')
    await mkdir(join(library.folder, 'staging', 'dead', 'deep'), { recursive: true })
    await writeFile(join(library.folder, 'staging', 'dead', 'deep', 'file'), '12345')
    const found = { blobs: 0, files: 3, bytes: 7 }
    expect(await collect(library, true)).toEqual({ isDryRun: true, ...found })
    expect(await collect(library)).toEqual({ isDryRun: false, ...found })
    expect(existsSync(orphan)).toBe(false)
    expect(await readdir(join(library.folder, 'lost-and-found'))).toEqual([])
    expect(await readdir(running)).toEqual(['archive.zip'])
  })

  it('stays away from files that a reader shares, and says that they are in use', async () => {
    const library = await aCaredLibrary()
    const orphan = library.vault.pathOf('0'.repeat(64) as Sha256)
    await writeFile(orphan, 'x')
    const release = await library.vault.share()
    const stop = new AbortController()
    const collected = library.care.collect({ dryRun: false }, { signal: stop.signal, onProgress: () => stop.abort() })
    expect(await collected).toEqual({ ok: false, failure: { kind: 'cancelled' } })
    expect(existsSync(orphan)).toBe(true)
    release()
    expect(await collect(library)).toMatchObject({ files: 1 })
  })
})
