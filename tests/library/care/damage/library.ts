import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

import type { Index } from '../../../../packages/library/db/library-index.ts'
import type { OpenedLibrary } from '../../../../packages/library/db/open/open-library.ts'
import { openLibrary } from '../../../../packages/library/db/open/open-library.ts'
import type { Finding } from '../../../../packages/library/records/care-reports.ts'
import type { Site } from '../../../../packages/library/records/site.ts'
import type { Sha256 } from '../../../../packages/wire/ids.ts'
import { expectServed, expectStored } from '../../../kill/saves.ts'
import { copyWhileOpen } from '../../../support/copy-while-open.ts'
import type { Galley } from '../../../support/open-galley.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { randomFrom } from '../../../support/random.ts'
import type { Sent } from '../../../support/saves.ts'
import { createSaves, post } from '../../../support/saves.ts'
import { startService } from '../../../support/service.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { acme } from '../../db/sample.ts'
import { aRun, reportOf } from '../library.ts'

/** The parts of a library folder that these tests damage; the rest of it is files. */
export const damageable = ['index.db', 'local.db', 'log', 'library.json', 'checkpoints'] as const

/** The segment of the log that contains all saves of these tests. */
export const firstSegment = '00000000000000000001.jsonl'

/** How many places are damaged in each kind of file. More for a long run: `npm run torture -- damage`. */
export const places = Number(process.env['GALLEY_DAMAGE_PLACES'] ?? 60)
export const placesTimeoutMs = places * 1_500

export const now = () => new Date()

export async function removeIndex(folder: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(join(folder, `index.db${end}`), { force: true })
}

/**
 * A library with pages, pictures, fonts, marks, a prune and refused callbacks, and copies of its folder at several
 * moments. It is closed, and the service no longer has the archives.
 */
export async function makeLibrary() {
  const place = await mkdtemp(join(tmpdir(), 'galley-drill-'))
  const folder = join(place, 'library')
  const service = await startService()
  const secrets = { environment: { GALLEY_SECRET_ACME: service.secret } }
  const galley = await openGalley({ folder, secrets })
  const site: Site = {
    ...acme,
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    allowedDomains: [],
    unknownMaterials: 'accept',
    callbackUrl: 'http://127.0.0.1:8787/callback/acme',
    maxContentBytes: 50_000_000,
    downloadTimeoutMs: 60_000,
  }
  galley.index.sites.put(site)
  galley.confirmations.confirm(site)
  const url = await listeningAt(galley)
  const { prepare, acknowledge } = createSaves(service, randomFrom(7))
  const sent: Sent[] = []
  const save = async (kind: Sent['kind'], materialId: string): Promise<Sent> => {
    const one = prepare(kind, materialId)
    const answer = await post(url, one)
    expect(answer?.json.rc, answer?.text).toBe(1)
    acknowledge(one, answer?.text ?? '')
    sent.push(one)
    return one
  }
  const refused = prepare('media', 'post/one')
  expect((await post(url, { ...refused, headers: {} }))?.json.code).toBe('invalid_signature')

  const pruned = await save('media', 'post/one')
  for (const materialId of ['post/one', 'post/two', 'post/two']) await save('media', materialId)
  const fonts = await save('fonts', 'site-fonts')
  const { index, care } = galley
  const marked = sent[2]?.versionId ?? ''
  const marks = { pinned: true, tags: ['launch'], note: 'as agreed' }
  index.fields.set('version', 'acme', [{ materialId: 'post/two', versionId: marked }], marks)
  const older = join(place, 'older')
  await index.copyTo(older, () => undefined, forever)
  await galley.library.writeCheckpoint(forever)
  await save('media', 'post/three')
  await save('media', 'post/one')
  const retention = { keepVersions: 2, keepDays: null }
  const gone = await reportOf(care.prune({ site: null, retention, dryRun: false }, aRun()))
  expect(gone).toMatchObject({ versions: 1 })
  await save('media', 'post/two')
  index.fields.set('material', 'acme', [{ materialId: 'post/three' }], { tags: { add: ['sport'], remove: [] } })
  // As after a kill: everything acknowledged is in the log, but the index may be behind.
  const killed = join(place, 'killed')
  await copyWhileOpen(folder, killed)
  await galley.close()
  return {
    place,
    folder,
    killed,
    older,
    secrets,
    fonts,
    /** Every save that was acknowledged and not pruned. */
    sent: sent.filter((each) => each !== pruned),
    async remove(): Promise<void> {
      await service.close()
      await rm(place, { recursive: true })
    },
  }
}

export type MadeLibrary = Awaited<ReturnType<typeof makeLibrary>>

export const forever = new AbortController().signal

/** A new copy of a folder, which is removed after the test. */
export async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'library')
  await cp(folder, copy, { recursive: true })
  return copy
}

async function listeningAt(galley: Galley): Promise<string> {
  const state = await galley.listener.start('127.0.0.1', 0)
  return state.kind === 'listening' ? state.url : expect.fail(JSON.stringify(state))
}

/** Every file of saves in a folder, wherever it is stored: none may ever be lost. */
export async function savedFiles(folder: string): Promise<readonly string[]> {
  const found = []
  for (const part of ['files', 'lost-and-found'])
    for (const entry of await readdir(join(folder, part), { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name)) found.push(entry.name)
  return found.toSorted()
}

export async function open(folder: string, { secrets }: MadeLibrary): Promise<Galley> {
  const galley = await openGalley({ folder, secrets })
  let isClosed = false
  const { close } = galley
  const once = async (): Promise<void> => {
    if (!isClosed) await close()
    isClosed = true
  }
  onTestFinished(once)
  return Object.assign(galley, { close: once })
}

/** Opens only the index, for tests that do so hundreds of times. */
export const openQuickly = (folder: string, from: 'log' | 'index' | null = null): Promise<OpenedLibrary> =>
  openLibrary(folder, now, () => undefined, from && { from })

/** The facts about a save and the location of its bytes; null if the library does not know the save. */
export function factsOf(index: Index, { kind, materialId, versionId, contentUrl }: Sent): unknown {
  const event = kind === 'media' ? 'article_saved' : 'site_fonts_updated'
  const delivery = index.callbacks.storedDelivery('acme', event, materialId, contentUrl)
  const find = (blob: Sha256 | null) => blob && index.blobs.find(blob)
  if (kind === 'fonts') {
    const found = index.snapshots.find('acme', versionId)
    if (!found) return null
    const { css, tree, answer, files } = found
    return { delivery, found, places: [css, tree, answer].map(find), files }
  }
  const row = index.versionList.find('acme', materialId, versionId)
  const parts = index.versions.parts('acme', materialId, versionId)
  if (!row || !parts) return null
  const { receivedAt, pinned, tags, note, verdict } = row
  const media = index.versions.media('acme', materialId, versionId)
  const places = [parts.html, parts.state, ...media.map(({ sha256 }) => sha256)].map(find)
  return { delivery, parts, media, places, marks: { receivedAt, pinned, tags, note, verdict } }
}

/** The findings of a check. */
export async function findingsOf({ care }: Galley, options = { repair: false }): Promise<readonly Finding[]> {
  const { ok, findings } = await reportOf(care.check(options, aRun()))
  expect(ok).toBe(findings.every(({ fixed }) => fixed))
  return findings
}

/** Expects everything acknowledged to be served, stored and answered as before, and a check without findings. */
export async function expectWhole(galley: Galley, { sent }: MadeLibrary): Promise<void> {
  const url = await listeningAt(galley)
  for (const each of sent) {
    await expectServed(url, each)
    await expectStored(galley, each)
  }
  expect(galley.index.versionList.query('acme', 'post/one', 0, 9).total).toBe(2)
  expect(galley.index.versionList.query('acme', 'post/two', 0, 9).rows.map(({ tags }) => tags)).toContainEqual([
    'launch',
  ])
  expect(await findingsOf(galley)).toEqual([])
}

/** Opens a damaged library as a person would, and returns the messages. */
export async function expectWholeAfterOpening(folder: string, made: MadeLibrary) {
  const before = await savedFiles(folder)
  const galley = await open(folder, made)
  await expectWhole(galley, made)
  const { notes } = galley.library
  await galley.close()
  expect(await savedFiles(folder)).toEqual(before)
  return notes
}
