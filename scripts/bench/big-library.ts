/** Fills a library with 10,000 materials, 100,000 versions and 50,000 callbacks, through its log. */

import type { Arrival, CallbackResult } from '../../packages/library/db/callback/callbacks.ts'
import type { Draft } from '../../packages/library/db/commit/commit.ts'
import type { Index } from '../../packages/library/db/library-index.ts'
import type { Change, NewVersion } from '../../packages/library/records/changes.ts'
import type { ExportRequest } from '../../packages/library/records/export-record.ts'
import { referencesForm } from '../../packages/library/records/media-references.ts'
import type { CallbackId, MaterialId, SiteId, SnapshotId, VersionId } from '../../packages/wire/ids.ts'
import { editors, numbersFrom, oneOf, pageText, tags, titleOf } from './texts.ts'

export const materialCount = 10_000
const versionsEach = 10
const callbackCount = 50_000
const snapshotCount = 200
const exportCount = 500
const firstSaveMs = Date.UTC(2025, 0, 6, 8)
const betweenSavesMs = 5 * 60_000
/** Changes per entry of the log, and rows per transaction. */
const atOnce = 500

/** How callbacks end; the frequency of an entry here is its frequency in the library. */
const endings = [
  ...Array.from({ length: 14 }, () => ({ outcome: 'stored', httpStatus: 200, rc: 1, code: null }) as const),
  { outcome: 'duplicate', httpStatus: 200, rc: 1, code: null },
  { outcome: 'refused', httpStatus: 200, rc: 0, code: 'refused' },
  { outcome: 'rejected', httpStatus: 400, rc: 0, code: 'invalid_signature' },
  { outcome: 'failed', httpStatus: 502, rc: 0, code: 'download_failed' },
] as const

const steps = ['download', 'directory', 'unpack', 'rewrite', 'sync', 'place', 'index'].map((name, at) => ({
  name,
  ms: at + 1.5,
}))

const target = { kind: 'folder' as const, path: '/exports/site' }
const request: ExportRequest = { site: 'bench', materials: [], pins: [], target, baseUrl: null, check: 'warn' }
const counts = { files: 12, added: 1, changed: 2, removed: 0, unchanged: 9, bytes: 480_000 }
const report = { counts, brokenReferences: 0, sha256: '0'.repeat(64), broken: [], leftOut: { count: 0, list: [] } }

const iso = (ms: number): string => new Date(ms).toISOString()
const savedMs = (material: number, version: number): number =>
  firstSaveMs + (version * materialCount + material) * betweenSavesMs
const materialIdOf = (material: number): MaterialId => `post/${String(material).padStart(5, '0')}` as MaterialId
const versionIdOf = (material: number, version: number): VersionId => `v-${material}-${version}` as VersionId

/** Copies a version of the library. Its blobs are real, so every version can be opened. */
export async function fillLibrary(folder: string, site: SiteId): Promise<void> {
  // Plain Node must support importing SQL before the first import of it.
  await import('../../tests/library/db/raw-sql.ts')
  const { openLibrary } = await import('../../packages/library/db/open/open-library.ts')
  const { index, close } = await openLibrary(
    folder,
    () => new Date(firstSaveMs),
    () => undefined,
  )
  try {
    const next = numbersFrom(20_261_121)
    const sample = sampleOf(index, site)
    inParts(callbacksOf(site, next), (some) => index.callbacks.record(some))
    inParts(changesOf(sample, next), (some) => index.commit.now(() => some))
  } finally {
    close()
  }
}

function inParts<Item>(items: Iterable<Item>, take: (some: readonly Item[]) => void): void {
  let some: Item[] = []
  for (const item of items) {
    some.push(item)
    if (some.length < atOnce) continue
    take(some)
    some = []
  }
  if (some.length > 0) take(some)
}

function sampleOf(index: Index, site: SiteId): NewVersion {
  for (const { materialId } of index.materials.listByArrival(site)) {
    const [known] = index.versions.list(site, materialId)
    const parts = known && index.versions.parts(site, materialId, known.versionId)
    if (!known || !parts) continue
    const { versionId, versionCdate, receivedAt, userEmail, sizeBytes, archiveSha256, keptSha256, warnings } = known
    const media = index.versions.media(site, materialId, versionId)
    return {
      site,
      materialId,
      versionId,
      versionCdate,
      receivedAt,
      userEmail,
      sizeBytes,
      archiveSha256,
      keptSha256,
      html: parts.html,
      state: parts.state,
      metadata: parts.metadata,
      warnings: [...warnings],
      publicBase: new URL(media[0]?.url ?? 'http://127.0.0.1').origin,
      media: media.map(({ name, sha256, sizeBytes: bytes }) => ({ name, sha256, sizeBytes: bytes })),
      references: [],
      referencesForm,
      title: null,
    }
  }
  throw new Error('The library holds no save to multiply')
}

function* changesOf(sample: NewVersion, next: () => number): Generator<Change | Draft> {
  const { site } = sample
  const titles = Array.from({ length: materialCount }, (_, material) => titleOf(material, next))
  for (const [material, title] of titles.entries()) {
    if (material % 3 !== 0) continue
    const [materialId, session] = [materialIdOf(material), `session-${material}`]
    yield {
      kind: 'material_opened',
      site,
      materialId,
      title,
      slug: `post-${material}`,
      sessionId: session,
      fingerprint: session,
      url: `http://127.0.0.1:9/editor/${material}`,
      at: iso(savedMs(material, versionsEach - 1)),
      sentMetadata: '{}',
      callbackUrl: 'https://site.test/callback',
    }
  }
  // One material after another, its current version first: each page is indexed for search only once, and the rows of a
  // material are cached for all its versions.
  for (const [material, title] of titles.entries()) {
    for (let version = versionsEach - 1; version >= 0; version -= 1) {
      const at = iso(savedMs(material, version))
      const change: Change = {
        kind: 'version_stored',
        version: {
          ...sample,
          materialId: materialIdOf(material),
          versionId: versionIdOf(material, version),
          title,
          versionCdate: at,
          receivedAt: at,
          userEmail: oneOf(editors, next),
          sizeBytes: 40_000 + Math.floor(next() * 24_000),
        },
        blobs: [],
        delivery: null,
      }
      yield { change, beside: { pageText: version === versionsEach - 1 ? pageText(next) : '' } }
    }
  }
  const tagged = Map.groupBy(titles.keys(), () => oneOf(tags, next))
  for (const [tag, materials] of tagged)
    yield {
      kind: 'fields_set',
      record: 'material',
      site,
      of: materials.map((at) => ({ materialId: materialIdOf(at) })),
      set: { tags: { add: [tag], remove: [] } },
    }
  const { html: css, archiveSha256, keptSha256, publicBase } = sample
  for (let at = 0; at < snapshotCount; at += 1) {
    const snapshotId = `fonts-${at}` as SnapshotId
    const rest = { css, tree: null, answer: null, archiveSha256, keptSha256, publicBase, warnings: [], files: [] }
    const snapshot = { site, snapshotId, receivedAt: iso(savedMs(at, 0)), ...rest }
    yield { kind: 'fonts_stored', snapshot, blobs: [], delivery: null }
  }
  for (let at = 0; at < exportCount; at += 1)
    yield { kind: 'exported', id: `export-${at}`, site, at: iso(savedMs(at, 0)), request, report, pages: [] }
}

function* callbacksOf(
  site: SiteId,
  next: () => number,
): Generator<{ readonly arrival: Arrival; readonly result: CallbackResult }> {
  for (let at = 0; at < callbackCount; at += 1) {
    const [material, version] = [at % materialCount, versionsEach - 5 + Math.floor(at / materialCount)]
    const end = oneOf(endings, next)
    const versionId = versionIdOf(material, version)
    const contentUrl = `http://127.0.0.1:9/integration/download/media/session-${material}/${versionId}`
    yield {
      arrival: {
        id: `callback-${at}` as CallbackId,
        site,
        receivedAt: iso(savedMs(material, version)),
        kind: 'article_saved',
        materialId: materialIdOf(material),
        contentUrl,
        signature: end.code === 'invalid_signature' ? 'invalid' : 'valid',
        payload: '{"event":"article_saved"}',
      },
      result: {
        ...end,
        rm: end.rc === 1 ? 'Saved successfully' : 'Not saved',
        versionId: end.rc === 1 ? versionId : null,
        duplicateOf: null,
        steps,
        durationMs: 8 + Math.floor(next() * 40),
      },
    }
  }
}
