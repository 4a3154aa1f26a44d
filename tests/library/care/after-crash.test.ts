import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import { openFileLock } from '../../../packages/library/db/file-lock.ts'
import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { checkAfterCrash } from '../../../packages/library/http/crash-check.ts'
import type { Change } from '../../../packages/library/records/changes.ts'
import { openVault } from '../../../packages/library/vault/vault.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { openGalley } from '../../support/open-galley.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import { acme } from '../db/sample.ts'

/** A material with a long title. */
const anOpen = (at: number): Change => ({
  kind: 'material_opened',
  site: acme.id,
  materialId: `post-${at}`,
  title: `title ${at} ${'x'.repeat(200)}`,
  slug: null,
  sessionId: 's',
  fingerprint: 'f',
  url: 'https://svc.test/',
  at: '2026-11-01T10:00:00.000Z',
  sentMetadata: '{}',
  callbackUrl: 'https://site.test/callback/acme',
})

const forever = new AbortController().signal

/** A library with two saves: small files in packs, and a large file of its own. */
async function library() {
  const fixture = await createTestGalley()
  await fixture.know('post-1')
  for (const versionId of ['one', 'two']) {
    const files = { 'small.png': versionId, 'big.bin': Buffer.alloc(100_000, versionId) }
    const save = aSave(fixture.service, { versionId, files })
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
  }
  const { index, vault } = fixture.galley
  return { ...fixture, index, vault, check: () => checkAfterCrash(index, vault, forever) }
}

describe('the check after an unclean stop', () => {
  it('finds nothing in an intact library, and changes nothing', async () => {
    const { check, filesOf } = await library()
    const before = await filesOf()
    expect(await check()).toEqual({ filesMissing: 0, indexProblems: [] })
    expect(await filesOf()).toEqual(before)
  })

  it('ignores files that no row names', async () => {
    const { check, filesOf, vault } = await library()
    for (const text of ['orphan', 'another']) {
      await writeFile(vault.pathOf(createHash('sha256').update(text).digest('hex') as Sha256), text)
    }
    const before = await filesOf()
    expect(await check()).toEqual({ filesMissing: 0, indexProblems: [] })
    expect(await filesOf()).toEqual(before)
  })

  it('counts missing and truncated files', async () => {
    const { check, index, vault } = await library()
    const [first, second] = index.blobs.files()
    if (!first || !second) throw new Error('The library has no files')
    await rm(vault.pathOf(first.file))
    await truncate(vault.pathOf(second.file), second.sizeBytes - 1)
    expect(await check()).toEqual({ filesMissing: 2, indexProblems: [] })
  })

  it('reports the problems of a damaged index', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'index.db')
    const open = () =>
      openLibrary(
        folder,
        () => new Date(),
        () => undefined,
      )
    const whole = await open()
    whole.index.sites.put(acme)
    whole.index.commit.now(() => Array.from({ length: 300 }, (_, at) => anOpen(at)))
    whole.close()
    // A page in the middle of a table is lost, as after a power cut on a disk that does not sync.
    const bytes = readFileSync(file)
    const pageBytes = bytes.readUInt16BE(16)
    const page = Math.floor(bytes.indexOf('title 150 x') / pageBytes)
    bytes.fill(0, page * pageBytes, (page + 1) * pageBytes)
    writeFileSync(file, bytes)
    const damaged = await open()
    const lock = openFileLock(folder)
    const report = await checkAfterCrash(damaged.index, await openVault(folder, damaged.index.blobs, lock), forever)
    lock.close()
    damaged.close()
    expect(report.indexProblems).toEqual([expect.stringMatching(/page/i)])
  })

  it('stops when it is aborted', async () => {
    const { index, vault } = await library()
    const [first] = index.blobs.files()
    if (!first) throw new Error('The library has no files')
    await rm(vault.pathOf(first.file))
    const report = await checkAfterCrash(index, vault, AbortSignal.abort())
    expect(report).toEqual({ filesMissing: 0, indexProblems: [] })
  })

  it('runs automatically if the last listener did not stop cleanly, and only then', async () => {
    const folder = await temporaryFolder()
    const start = async () => {
      const lines: string[] = []
      let tell = () => {}
      const checked = new Promise<void>((resolve) => (tell = resolve))
      const log = (line: string) => {
        lines.push(line)
        if (line.startsWith('checked after')) tell()
      }
      const next = await openGalley({ folder, log })
      await next.listener.start('127.0.0.1', 0)
      return { next, lines, checked }
    }
    const first = await start()
    const orphan = first.next.vault.pathOf('0'.repeat(64) as Sha256)
    await first.next.close()
    await writeFile(orphan, 'x')
    const clean = await start()
    await clean.next.close()
    expect([...first.lines, ...clean.lines]).toEqual([])

    const markUnclean = () => {
      const db = new BetterSqlite3(join(folder, 'local.db'))
      db.exec(`UPDATE setting SET value = 'no' WHERE name = 'clean'`)
      db.close()
    }
    markUnclean()
    const unclean = await start()
    await unclean.checked
    expect(unclean.lines).toEqual(['checked after an unclean stop: 0 stored files missing'])
    await unclean.next.close()
    expect((await stat(orphan)).size).toBe(1)

    // Stopping the check is not an error, and leaves it to the next start.
    markUnclean()
    const stopped = await start()
    await stopped.next.close()
    expect(stopped.lines).toEqual([])
    const next = await start()
    await next.checked
    expect(next.lines).toEqual(['checked after an unclean stop: 0 stored files missing'])
    await next.next.close()
  })
})

it('a listener that could not start leaves nothing to check', async () => {
  const folder = await temporaryFolder()
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const next = await openGalley({ folder, log })
  expect(await next.listener.start('192.0.2.1', 0)).toMatchObject({ kind: 'failed' })
  expect(next.index.settings.get('clean')).not.toBe('no')
  await next.close()
})
