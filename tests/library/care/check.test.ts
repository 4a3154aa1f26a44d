import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { checkLibrary } from '../../../packages/library/care/check.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { foundBy } from '../../support/found-by.ts'
import { openGalley } from '../../support/open-galley.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, reportOf, someFiles } from './library.ts'

const check = ({ care }: CaredLibrary, repair = false) => reportOf(care.check({ repair }, aRun()))

const whole = { ok: true, findings: [] }

const hashOf = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

async function withTwoVersions() {
  const library = await aCaredLibrary()
  for (const versionId of ['one', 'two']) await library.save({ versionId, files: someFiles(versionId) })
  await library.saveFonts(
    'snap',
    {
      'vms_fonts/a.woff': Buffer.alloc(70_000, 'a'),
      'vms_fonts/b.woff': 'bee',
      'vms_fonts.css': '@font-face{src:url(dummy-a.woff)}',
      'vms_fonts.json': '{"list":[{"id":"a.woff"}]}',
    },
    { list: [{ id: 'b.woff' }] },
  )
  return library
}

/** Overwrites bytes in the middle of a file. */
async function alter(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff
  await writeFile(path, bytes)
}

/** The contents of all files that the library serves, to compare before and after a repair. */
async function contentsOf({ index, vault, rows }: CaredLibrary) {
  const blobs = rows('SELECT sha256 FROM blob').map(({ sha256 }) => sha256 as Sha256)
  const bytes = await Promise.all(
    blobs.map(async (blob) => {
      const place = index.blobs.find(blob)
      return (
        place &&
        createHash('sha256')
          .update(await vault.readBytes(place))
          .digest('hex')
      )
    }),
  )
  return blobs.map((blob, at) => [blob, bytes[at]])
}

describe('a check', () => {
  it('of an intact library reads every byte and finds nothing', async () => {
    const library = await withTwoVersions()
    const run = aRun()
    const report = await reportOf(library.care.check({ repair: false }, run))
    expect(report).toMatchObject({ ...whole, isRepair: false, files: library.index.blobs.files().length })
    expect(report.bytes).toBeGreaterThan(3 * 70_000)
    expect(run.seen.at(-1)).toEqual({ step: 'reading', done: report.bytes, total: report.bytes, unit: 'bytes' })
    expect(await check(library, true)).toMatchObject({ ...whole, isRepair: true })
  })

  it('can be stopped, and says that it was', async () => {
    const library = await withTwoVersions()
    const stopped = await library.care.check({ repair: true }, { ...aRun(), signal: AbortSignal.abort() })
    expect(stopped).toEqual({ ok: false, failure: { code: 'cancelled', state: 'midway' } })
  })
})

describe('files', () => {
  it.each([
    ['gone', 'file_missing', (path: string) => rm(path)],
    ['altered', 'file_changed', alter],
    ['cut short', 'file_changed', (path: string) => truncate(path, 5)],
    ['empty', 'file_changed', (path: string) => truncate(path, 0)],
  ])('that are %s come back from the kept archives, byte for byte', async (_how, kind, harm) => {
    const library = await withTwoVersions()
    const before = await contentsOf(library)
    const kept = new Set(
      library
        .rows('SELECT kept_sha256 FROM version UNION SELECT kept_sha256 FROM snapshot')
        .map((row) => row['kept_sha256']),
    )
    const files = library.index.blobs.files().map(({ file }) => file)
    const harmed = files.filter((file) => !kept.has(file))
    expect(harmed).toHaveLength(6)
    for (const file of harmed) await harm(library.vault.pathOf(file))

    const found = await check(library)
    expect(found.ok).toBe(false)
    expect(found.findings).toHaveLength(6)
    for (const finding of found.findings) expect(finding).toMatchObject({ kind, fixable: true, fixed: false })
    expect(found.findings.flatMap(({ usedBy }) => usedBy)).toContainEqual({
      site: 'acme',
      materialId: 'post-1',
      versionId: 'two',
      part: 'big.bin',
    })
    expect(JSON.stringify(found)).not.toContain(library.folder)

    const mended = await check(library, true)
    expect(mended.ok).toBe(true)
    expect(mended.findings.filter((each) => each.kind === kind && each.fixed)).toHaveLength(6)
    expect(await check(library)).toMatchObject(whole)
    expect(await contentsOf(library)).toEqual(before)
    expect(await readdir(join(library.folder, 'staging'))).toEqual([])
  })

  it('whose archive is lost too are reported and not changed', async () => {
    const library = await withTwoVersions()
    const big = library.fileOf(`SELECT sha256 FROM media WHERE name = 'big.bin' LIMIT 1`)
    const archive = library.fileOf(
      `SELECT v.kept_sha256 FROM version v JOIN media f ON f.version = v.id WHERE f.sha256 = '${basename(big)}'`,
    )
    await alter(big)
    await rm(archive)
    for (const repair of [false, true]) {
      const report = await check(library, repair)
      expect(report.ok).toBe(false)
      expect(report.findings).toHaveLength(2)
      for (const [kind, path] of [
        ['file_missing', archive],
        ['file_changed', big],
      ] as const)
        expect(report.findings).toContainEqual(
          expect.objectContaining({ kind, file: basename(path), fixable: false, fixed: false }),
        )
    }
    expect(existsSync(big)).toBe(true)
  })

  it('of packs keep their intact blobs if the others cannot be restored', async () => {
    const library = await withTwoVersions()
    const small = library.rows(`SELECT sha256, name FROM media WHERE name = 'small.png'`)[0]?.['sha256'] as Sha256
    const place = library.index.blobs.find(small)
    if (!place) throw new Error('There is no such blob')
    const pack = library.vault.pathOf(place.file)
    const bytes = await readFile(pack)
    bytes[place.offset] = 0
    await writeFile(pack, bytes)
    for (const { kept_sha256: kept } of library.rows('SELECT kept_sha256 FROM version'))
      await rm(library.vault.pathOf(kept as Sha256))
    await check(library, true)
    const left = (await check(library)).findings.filter(({ kind }) => kind === 'file_changed')
    expect(left).toHaveLength(1)
    expect(left[0]?.usedBy).toEqual([expect.objectContaining({ part: 'small.png' })])
    expect(library.index.blobs.inFile(place.file).map(({ sha256 }) => sha256)).toEqual([small])
  })

  it('that a save is about to name are not reported as unknown', async () => {
    const library = await aCaredLibrary()
    const staged = join(await library.vault.stage(), 'blob')
    await writeFile(staged, 'x')
    const adoption = await library.vault.adopt([{ path: staged, sha256: hashOf('x') }])
    const unnamed: typeof library.vault.unreferenced = async (...options) => {
      const found = await library.vault.unreferenced(...options)
      expect(found.files).toEqual([hashOf('x')])
      adoption.settle('nothing_stored')
      return found
    }
    const vault = { ...library.vault, unnamed }
    const ports = { ...library, vault, bucket: null }
    expect(await reportOf(checkLibrary(ports as never, { repair: false }, aRun()))).toMatchObject(whole)
  })

  it('that nothing names are found and set aside by a repair, but never those of a running save', async () => {
    const library = await withTwoVersions()
    const orphan = library.vault.pathOf(hashOf('x'))
    await writeFile(orphan, 'x')
    expect(await check(library)).toMatchObject({ ok: true, findings: [], interrupted: [basename(orphan)] })
    await writeFile(orphan, 'not its bytes')
    expect((await check(library)).findings).toEqual([
      expect.objectContaining({ kind: 'orphan_file', file: basename(orphan), fixable: true, fixed: false }),
    ])
    expect(await check(library, true)).toMatchObject({ ok: true, findings: [{ kind: 'orphan_file', fixed: true }] })
    expect(await readFile(join(library.folder, 'lost-and-found', basename(orphan)), 'utf8')).toBe('not its bytes')
    expect(await check(library)).toMatchObject(whole)
  })

  it('in staging are reported as remains of a dead save, unless another process runs a listener', async () => {
    const library = await withTwoVersions()
    const running = await library.vault.stage()
    await mkdir(join(library.folder, 'staging', 'dead'))
    expect((await check(library)).findings).toEqual([
      expect.objectContaining({ kind: 'staging_leftover', file: 'dead', fixable: true }),
    ])
    expect(await check(library, true)).toMatchObject({ ok: true })
    expect(await readdir(join(library.folder, 'staging'))).toEqual([basename(running)])
  })
})

describe('the index', () => {
  it('whose rows differ from the log is rebuilt at the next opening after a repair', async () => {
    const library = await withTwoVersions()
    const current = library.index.materials.find('acme', 'post-1')
    library.db.exec(`
      UPDATE material SET current_version = (SELECT min(id) FROM version), version_count = 7;
      UPDATE delivery SET version_id = 'never' WHERE version_id = 'one';
      DELETE FROM material_text;`)
    const kinds = [
      ['index_differs', { code: 'rows_differ', table: 'delivery', rows: 2 }, true, false],
      ['index_differs', { code: 'rows_differ', table: 'material', rows: 2 }, true, false],
      ['index_differs', { code: 'rows_differ', table: 'material_text', rows: 1 }, true, false],
    ]
    for (const repair of [false, true]) {
      const { ok, findings } = await check(library, repair)
      expect(ok).toBe(false)
      expect(findings.map(({ kind, facts, fixable, fixed }) => [kind, facts, fixable, fixed])).toEqual(kinds)
      expect(existsSync(join(library.folder, 'index.rebuild'))).toBe(repair)
    }
    const again = await reopened(library)
    expect(again.library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'asked', report: { versions: 2 } }])
    expect(await reportOf(again.care.check({ repair: false }, aRun()))).toMatchObject(whole)
    expect(again.index.materials.find('acme', 'post-1')).toEqual(current)
    expect(foundBy(again.index, 'post')).toHaveLength(1)
  })

  it('can be searched again after a repair of its damaged search tables', async () => {
    const library = await aCaredLibrary()
    await library.save({ html: '<h1>Words of wisdom</h1><img src="dummy-hero.png">' })
    library.db.unsafeMode(true)
    library.db.exec(`UPDATE material_text_data SET block = zeroblob(length(block)) WHERE id > 10`)
    expect((await check(library)).findings.map(({ kind }) => kind)).toEqual(['search_index'])
    expect(await check(library, true)).toMatchObject({ ok: true })
    expect(await check(library)).toMatchObject(whole)
    expect(foundBy(library.index, 'wisdom')).toHaveLength(1)
  })

  it('that has lost rows is not trusted: files that it does not name stay in their places', async () => {
    const library = await withTwoVersions()
    const orphan = library.vault.pathOf('0'.repeat(64) as Sha256)
    await writeFile(orphan, 'x')
    const before = await library.filesOf()
    library.db.exec(`PRAGMA foreign_keys = OFF; DELETE FROM blob WHERE sha256 = (SELECT min(sha256) FROM media)`)
    const report = await check(library, true)
    expect(report).toMatchObject({
      ok: false,
      findings: [{ kind: 'index_differs', facts: { code: 'rows_differ', table: 'blob', rows: 1 } }],
    })
    expect(await library.filesOf()).toEqual([...before, join(library.folder, 'index.rebuild')].toSorted())
    const again = await reopened(library)
    expect(await reportOf(again.care.check({ repair: false }, aRun()))).toMatchObject({
      findings: [{ kind: 'orphan_file' }],
    })
  })

  it('that SQLite finds damaged is not compared with files, and is rebuilt after a repair', async () => {
    const library = await withTwoVersions()
    const orphan = library.vault.pathOf('0'.repeat(64) as Sha256)
    await writeFile(orphan, 'x')
    library.db.exec(`PRAGMA ignore_check_constraints = ON; UPDATE site SET environment = 'neither'`)
    const report = await check(library, true)
    expect(report).toMatchObject({ ok: false, files: 0 })
    expect(report.findings).toEqual([expect.objectContaining({ kind: 'index_damaged', fixable: true, fixed: false })])
    expect(existsSync(orphan)).toBe(true)
    const again = await reopened(library)
    expect(again.library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'asked' }])
    expect(again.index.sites.find('acme')?.environment).toBe('prod')
  })

  it('is not rebuilt from a log that is damaged itself', async () => {
    const library = await withTwoVersions()
    const log = join(library.folder, 'log')
    await alter(join(log, (await readdir(log))[0] ?? ''))
    library.db.exec(`UPDATE material SET version_count = 7`)
    const report = await check(library, true)
    expect(report.ok).toBe(false)
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        kind: 'log_damaged',
        facts: expect.objectContaining({ code: 'entries', state: 'damaged' }) as object,
        fixable: false,
      }),
    )
    expect(report.findings.filter(({ fixable }) => fixable)).toEqual([])
    expect(existsSync(join(library.folder, 'index.rebuild'))).toBe(false)
  })
})

/** Opens the same library again. */
async function reopened(library: CaredLibrary) {
  library.db.close()
  await library.close()
  const again = await openGalley({ folder: library.folder })
  onTestFinished(again.close)
  return again
}
