import { createHash, randomUUID } from 'node:crypto'
import BetterSqlite3 from 'better-sqlite3'
import { onTestFinished } from 'vitest'

import type { Arrival, CallbackResult } from '../../../packages/library/db/callback/callbacks.ts'
import { databaseFiles, makeIndex, openIndex, prepareLocal } from '../../../packages/library/db/database/open.ts'
import type { IndexWork } from '../../../packages/library/db/index-work.ts'
import type { Index } from '../../../packages/library/db/library-index.ts'
import type { OpenedLibrary } from '../../../packages/library/db/open/open-library.ts'
import { openLibrary as open } from '../../../packages/library/db/open/open-library.ts'
import type { LoggedDelivery, NewBlob, NewSnapshot, NewVersion } from '../../../packages/library/records/changes.ts'
import type { Site } from '../../../packages/library/records/site.ts'
import type { CallbackId, Sha256 } from '../../../packages/wire/ids.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

/** The name of a text's bytes in a library. */
export const sha = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

export const acme: Site = {
  id: 'acme',
  name: 'Acme',
  environment: 'prod',
  baseUrl: 'https://svc.test/integration',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback/acme',
  publicUrl: null,
  allowedDomains: ['site.test'],
  downloadOrigins: [],
  signatureHeader: 'X-Service-Signature',
  publish: { kind: 'listener' },
  unknownMaterials: 'refuse',
  callbackAuth: 'none',
  maxContentBytes: 1000,
  requestTimeoutMs: 2000,
  downloadTimeoutMs: 3000,
}

/** The files of an empty index and an empty `local.db`, as in a new library. */
export async function emptyDatabases() {
  const folder = await temporaryFolder()
  const files = databaseFiles(folder)
  prepareLocal(files.local)
  const db = new BetterSqlite3(files.index)
  makeIndex(db, 'a-library')
  db.close()
  // Once with all settings of an opening.
  openIndex(files).close()
  return { folder, files }
}

/** Opens a library like another process. Closed by the caller, or at the end of the test. */
export async function openAgain(
  folder: string,
  report: (line: string) => void = () => undefined,
  work?: IndexWork,
): Promise<OpenedLibrary> {
  const library = await open(folder, () => new Date(), report, null, undefined, work)
  let isOpen = true
  const close = () => {
    if (isOpen) library.close()
    isOpen = false
  }
  onTestFinished(close)
  return { ...library, close }
}

/** A new library on disk with the site `acme`. `peek` reads its index on a separate connection. */
export async function openLibrary(work?: IndexWork) {
  const folder = await temporaryFolder()
  const lines: string[] = []
  const library = await openAgain(folder, (line) => void lines.push(line), work)
  const { index } = library
  const { index: file, local } = databaseFiles(folder)
  const other = new BetterSqlite3(file)
  other.prepare('ATTACH ? AS local').run(local)
  onTestFinished(() => void other.close())
  index.sites.put(acme)
  const peek = (sql: string): readonly unknown[] => other.prepare(sql).all()
  return { library, index, file, folder, lines, other, peek }
}

let ids = 0

/** An arriving callback. Ids are in ascending order. */
export const anArrival = (parts: Partial<Arrival> = {}): Arrival => {
  ids += 1
  return {
    id: `callback-${ids}`,
    site: 'acme',
    receivedAt: '2026-11-01T10:00:00.000Z',
    kind: 'article_saved',
    materialId: 'post-1',
    contentUrl: `https://svc.test/integration/download/media/s/${randomUUID()}`,
    signature: 'valid',
    payload: null,
    ...parts,
  }
}

export const aCallbackResult = (parts: Partial<CallbackResult> = {}): CallbackResult => ({
  outcome: 'stored',
  httpStatus: 200,
  rc: 1,
  code: null,
  rm: 'Saved successfully',
  versionId: null,
  duplicateOf: null,
  steps: [],
  ...parts,
})

/** What a test sets of a version: its row, and the words of its page. */
export type SampleVersion = NewVersion & { readonly text: string }

/** A version whose blobs are named after its content. */
export function aVersion(versionId: string, parts: Partial<SampleVersion> = {}): SampleVersion {
  return {
    site: acme.id,
    materialId: 'post-1',
    versionId,
    versionCdate: '2026-11-01T10:00:00+00:00',
    receivedAt: '2026-11-01T10:00:01.000Z',
    userEmail: null,
    html: sha(`html ${versionId}`),
    state: sha(`state ${versionId}`),
    metadata: null,
    archiveSha256: sha(`archive ${versionId}`),
    keptSha256: sha(`kept ${versionId}`),
    sizeBytes: 10,
    publicBase: 'https://site.test',
    warnings: [],
    media: [],
    references: [],
    title: null,
    text: '',
    ...parts,
  }
}

export function aSnapshot(snapshotId: string, parts: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    site: acme.id,
    snapshotId,
    receivedAt: '2026-11-01T10:00:01.000Z',
    css: sha(`css ${snapshotId}`),
    tree: null,
    answer: null,
    archiveSha256: sha(`archive ${snapshotId}`),
    keptSha256: sha(`kept ${snapshotId}`),
    publicBase: 'https://site.test',
    warnings: [],
    files: [],
    ...parts,
  }
}

const whole = (sha256: Sha256) => ({ sha256, sizeBytes: 1, pack: null })

/** The delivery of a callback that stored something. */
export const aDelivery = ({ id, receivedAt, materialId, contentUrl, payload }: Arrival): LoggedDelivery => ({
  id,
  receivedAt,
  materialId,
  contentUrl,
  payload,
  headers: [],
  bodyBytes: null,
  rm: 'Saved successfully',
  steps: [],
  durationMs: null,
})

/** The blobs of a version, each in a separate file. */
export const blobsOf = ({ html, state, keptSha256, media }: NewVersion): readonly NewBlob[] => [
  ...[html, state, keptSha256].map(whole),
  ...media.map(({ sha256, sizeBytes }) => ({ sha256, sizeBytes, pack: null })),
]

/** Stores a version at once, while a save would wait for others. */
export function storeVersion(
  index: Index,
  { text, ...version }: SampleVersion,
  arrival: Partial<Arrival> = {},
): CallbackId {
  const callback = anArrival({ materialId: version.materialId, ...arrival })
  index.callbacks.begin(callback)
  const blobs = [...blobsOf(version)]
  const change = { kind: 'version_stored', version, blobs, delivery: aDelivery(callback) } as const
  index.commit.now(() => [{ change, beside: { pageText: text } }])
  return callback.id
}

export function storeSnapshot(index: Index, snapshot: NewSnapshot): CallbackId {
  const callback = anArrival({ kind: 'site_fonts_updated', materialId: 'fonts' })
  index.callbacks.begin(callback)
  const { css, tree, answer, keptSha256, files } = snapshot
  const named = [css, tree, answer, keptSha256, ...files.map(({ sha256 }) => sha256)]
  const blobs = named.filter((sha256) => sha256 !== null).map(whole)
  index.commit.now(() => [{ kind: 'fonts_stored', snapshot, blobs, delivery: aDelivery(callback) }])
  return callback.id
}
