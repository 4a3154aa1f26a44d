import { readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { restore } from '../../../packages/library/care/restore.ts'
import type { ChangeOf } from '../../../packages/library/records/changes.ts'
import { openGalley } from '../../support/open-galley.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { aLibraryToBackUp, backUp } from './backed-up.ts'
import type { Forgery } from './forged-backup.ts'
import { forgeAgain, logSaying } from './forged-backup.ts'
import { aRun, reportOf } from './library.ts'

const now = () => new Date()
const signal = new AbortController().signal
const damaged = (what: unknown) => ({ ok: false, failure: { code: 'damaged_backup', what } })

/** The backup of a library, made once: as it was written, and after its log was folded. */
const backups = new Map<'written' | 'folded', Promise<Buffer>>()

function backupOf(how: 'written' | 'folded'): Promise<Buffer> {
  const known = backups.get(how)
  if (known) return known
  const made = (async () => {
    const library = await aLibraryToBackUp()
    if (how === 'folded') await library.library.foldLog(signal)
    await backUp(library, library.file)
    return readFile(library.file)
  })()
  backups.set(how, made)
  return made
}

/** A backup by someone who knows the format, and the result of restoring it. */
async function forged(forgery: Forgery, how: 'written' | 'folded' = 'written') {
  const outside = await temporaryFolder()
  const file = join(outside, 'library.zip')
  const folder = join(outside, 'restored')
  await writeFile(file, await backupOf(how))
  await forgeAgain(file, forgery)
  const result = await restore({ file, folder, now }, aRun())
  if (!result.ok) expect(await readdir(outside)).toEqual(['library.zip'])
  return { result, folder }
}

type SavedSite = ChangeOf<'site_saved'>['site']

const withSite = (other: (site: SavedSite) => SavedSite): Forgery => ({
  log: (bytes) =>
    logSaying(bytes, (changes) =>
      changes.map((each) => (each.kind === 'site_saved' ? { ...each, site: other(each.site) } : each)),
    ),
})

/** Restores a forged backup whose bad entries are skipped, and opens the library, which has nothing of them. */
async function restoredWithout(forgery: Forgery) {
  const { result, folder } = await forged(forgery)
  expect(result.ok).toBe(true)
  const galley = await openGalley({ folder })
  onTestFinished(galley.close)
  const { index } = galley
  expect(index.lostEntries()).toEqual([])
  return { index, skipped: index.refusedEntries().map(({ why }) => why) }
}

describe('a forged backup', () => {
  it.each(['..', '../../x', 'a/b', 'acme@other', '', '.hidden', 'x'.repeat(64), 'a\nb', 'ä'])(
    'with the site id %j gives a library without what names it',
    async (id) => {
      const { index, skipped } = await restoredWithout({
        log: (bytes) =>
          logSaying(
            bytes,
            (changes) => JSON.parse(JSON.stringify(changes).replaceAll('"acme"', JSON.stringify(id))) as typeof changes,
          ),
      })
      // One site, two versions and a font set.
      expect(skipped).toEqual(expect.arrayContaining(['0.site.id', '0.version.site', '0.snapshot.site']))
      expect(index.sites.list()).toEqual([])
      expect(index.counts()).toEqual({ materials: 0, versions: 0 })
      expect(index.blobs.files()).toEqual([])
    },
  )

  it.each<[string, Partial<SavedSite>]>([
    ['callbackUrl', { callbackUrl: 'nowhere' }],
    ['baseUrl', { baseUrl: 'file:///etc' }],
    ['publicUrl', { publicUrl: 'https://cdn.test/"><script>' }],
    ['signatureHeader', { signatureHeader: 'Authorization' }],
    ['downloadOrigins', { downloadOrigins: ['nowhere'] }],
    ['maxContentBytes', { maxContentBytes: Number.MAX_SAFE_INTEGER }],
  ])('with a %s that no site can have gives a library without the site', async (_, values) => {
    const { index, skipped } = await restoredWithout(withSite((site) => ({ ...site, ...values })))
    expect(skipped[0]).toMatch(/^0\.site/)
    expect(index.sites.list()).toEqual([])
    expect(index.counts()).toEqual({ materials: 0, versions: 0 })
  })

  it('with a public address that would end an attribute gives a library without the versions that have it', async () => {
    const { index, skipped } = await restoredWithout({
      log: (bytes) =>
        logSaying(bytes, (changes) =>
          changes.map((each) =>
            each.kind === 'version_stored'
              ? { ...each, version: { ...each.version, publicBase: 'https://site.test/"onerror="x' } }
              : each,
          ),
        ),
    })
    expect(skipped).toEqual(['0.version.publicBase', '0.version.publicBase'])
    expect(index.counts()).toEqual({ materials: 1, versions: 0 })
  })

  it('with files that are shorter than declared is refused', async () => {
    const { result } = await forged({
      log: (bytes) =>
        logSaying(bytes, (changes) =>
          changes.map((each) =>
            each.kind === 'version_stored'
              ? { ...each, blobs: each.blobs.map((blob) => ({ ...blob, sizeBytes: 2 ** 40 })) }
              : each,
          ),
        ),
    })
    expect(result).toEqual(damaged('it refers to files that it does not contain'))
  })

  it('whose log is shorter than declared is refused', async () => {
    const { result } = await forged({
      log: (bytes) => bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1),
    })
    expect(result).toEqual(damaged('its log ends too early'))
  })

  it('with a time that would move the cursor of a terminal is refused', async () => {
    const { result } = await forged({ manifest: (manifest) => ({ ...manifest, created_at: '\u001b[2J' }) })
    expect(result).toEqual(damaged('its manifest cannot be read'))
  })

  it('with the same part twice is refused', async () => {
    const { result } = await forged({
      manifest: (manifest) => ({ ...manifest, parts: [...manifest.parts, ...manifest.parts.slice(0, 1)] }),
    })
    expect(result).toEqual(damaged('its manifest cannot be read'))
  })
})

describe('the checkpoint of a backup', () => {
  const isCheckpoint = (path: string): boolean => path.startsWith('checkpoints/')

  /** Changes rows of a checkpoint. */
  async function withRows(sql: string): Promise<Forgery> {
    const file = join(await temporaryFolder(), 'index.db')
    return {
      part(path, bytes) {
        if (!isCheckpoint(path)) return bytes
        writeFileSync(file, gunzipSync(bytes))
        const db = new BetterSqlite3(file)
        db.pragma('journal_mode = DELETE')
        db.exec(sql)
        db.close()
        return gzipSync(readFileSync(file))
      },
    }
  }

  it('is that of the time of the backup, even if the library has another one by now', async () => {
    const library = await aLibraryToBackUp()
    await library.library.foldLog(signal)
    const folder = join(library.folder, 'checkpoints')
    for (const name of await readdir(folder)) await writeFile(join(folder, name), 'rotten')
    await backUp(library, library.file)
    expect(await reportOf(restore({ file: library.file, folder: library.folder2, now }, aRun()))).toMatchObject({
      materials: 1,
      versions: 2,
    })
  })

  it('is required if the log begins later', async () => {
    const rotten = await forged(
      { part: (path, bytes) => (isCheckpoint(path) ? Buffer.from('rotten') : bytes) },
      'folded',
    )
    expect(rotten.result).toEqual(damaged('its checkpoint cannot be used'))
    const gone = await forged({ part: (path, bytes) => (isCheckpoint(path) ? null : bytes) }, 'folded')
    expect(gone.result).toEqual(damaged('entry 1 of its log differs from what was written'))
  })

  it('has a size limit for unpacking', async () => {
    // Consistent in everything else: with a shorter note it would be restored.
    const { result } = await forged(await withRows(`UPDATE version SET note = hex(zeroblob(40000000))`), 'folded')
    expect(result).toEqual(damaged('its checkpoint cannot be used'))
  })

  it('is refused if the log is complete', async () => {
    const { result } = await forged({ parts: { 'checkpoints/00000000000000000001.db.gz': gzipSync('x') } })
    expect(result).toEqual(damaged('it contains a checkpoint that its log does not need'))
  })

  it.each([
    ['a site id', `PRAGMA foreign_keys = OFF; UPDATE site SET id = '../../x'; UPDATE material SET site = '../../x'`],
    ['a publishing target', `UPDATE site SET publish = 'folder:/etc'`],
    ['warnings', `UPDATE version SET warnings = '[{"code":"planted","name":""}]'`],
    ['tags', `UPDATE version SET tags = 'no list'`],
  ])('with %s that no log can say is refused', async (_, sql) => {
    const { result } = await forged(await withRows(sql), 'folded')
    expect(result).toEqual(damaged('its checkpoint has a different form than Galley writes'))
  })
})

describe('the callbacks of a backup', () => {
  it.each([
    `steps = 'x'`,
    `steps = '[7]'`,
    `headers = '{}'`,
    `facts = '[]'`,
    `facts = 'x'`,
    `signature_hash = 'a', signature_form = 'x'`,
    `kind = 'planted'`,
    `signature = 'planted'`,
    `outcome = 'planted'`,
    `received_at = 'never'`,
  ])('are taken but for those with %s', async (values) => {
    const file = join(await temporaryFolder(), 'local.db')
    const { result, folder } = await forged({
      part(path, bytes) {
        if (path !== 'local.db') return bytes
        writeFileSync(file, bytes)
        const db = new BetterSqlite3(file)
        db.exec(`UPDATE callback SET ${values} WHERE arrival = 2`)
        db.close()
        return readFileSync(file)
      },
    })
    expect(result.ok).toBe(true)
    const galley = await openGalley({ folder })
    onTestFinished(galley.close)
    const listed = galley.index.callbacks.list({ site: 'acme', outcome: null, limit: 10 })
    expect(listed).toHaveLength(2)
    for (const { id } of listed) expect(galley.index.callbackRequests.find(id)).not.toBeNull()
  })
})
