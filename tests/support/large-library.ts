import { createHash } from 'node:crypto'

import type { Arrival, CallbackResult } from '../../packages/library/db/callback/callbacks.ts'
import type { Draft } from '../../packages/library/db/commit/commit.ts'
import { openLibrary } from '../../packages/library/db/open/open-library.ts'
import type { LoggedDelivery } from '../../packages/library/records/changes.ts'
import { referencesForm } from '../../packages/library/records/media-references.ts'
import type { Site } from '../../packages/library/records/site.ts'
import type { Sha256 } from '../../packages/wire/ids.ts'

/** The size; by default what the interface must support. */
export interface LibrarySize {
  readonly materials: number
  readonly versions: number
  readonly callbacks: number
}

/** Changes per entry of the log. */
const changesAtOnce = 300

const words =
  'harbour market sunrise boat orange bread weekend council budget election school river bridge theatre concert festival museum library police court hospital weather storm flood summer winter garden kitchen recipe travel island mountain railway station airport football tennis marathon'.split(
    ' ',
  )

const sha = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

const startMs = Date.parse('2026-01-01T00:00:00Z')
const momentOf = (at: number): string => new Date(startMs + at * 60_000).toISOString()

// Rows are computed, not random, so that figures are the same on every run.
const word = (at: number): string => words[(at * 7919) % words.length] ?? 'word'
const some = (from: number, many: number): string =>
  Array.from({ length: many }, (_, at) => word(from + at * 31)).join(' ')

const addressOf = (at: number): string => `https://svc.test/integration/download/media/s/v${at}`
const isStored = (at: number): boolean => at % 10 !== 0
const kindOf = (at: number) => (at % 50 === 0 ? 'site_fonts_updated' : 'article_saved')

/**
 * Fills the library in a folder through its log, like real saves would, for benches and tests of scale. The files do not
 * exist. The same size gives the same rows.
 */
export async function fillLibrary(folder: string, site: Site, size: LibrarySize): Promise<void> {
  const { index, close } = await openLibrary(
    folder,
    () => new Date(startMs),
    () => undefined,
  )
  try {
    index.sites.put(site)
    // First and in order: a save that stores something refers to its callback.
    for (let at = 0; at < size.callbacks; at += changesAtOnce) {
      const count = Math.min(changesAtOnce, size.callbacks - at)
      index.callbacks.record(Array.from({ length: count }, (_, more) => aCallback(at + more, site, size)))
    }
    for (let at = 0; at < size.versions; at += changesAtOnce) {
      const count = Math.min(changesAtOnce, size.versions - at)
      index.commit.now(() => Array.from({ length: count }, (_, more) => aSave(at + more, site, size)))
    }
    for (const [rest, tag] of [
      [0, 'front page'],
      [3, 'archive'],
    ] as const) {
      const tagged = Array.from({ length: size.materials }, (_, at) => at).filter((at) => at % 10 === rest)
      const names = tagged.map((at) => ({ materialId: `post-${at}` }))
      index.fields.set('material', site.id, names, { tags: { add: [tag], remove: [] } })
    }
  } finally {
    close()
  }
}

function aSave(at: number, site: Site, { materials, callbacks }: LibrarySize): Draft {
  const material = at % materials
  const [html, state, kept, image] = [sha(`h${at}`), sha(`s${at}`), sha(`k${at}`), sha(`m${at % 5000}`)]
  const version = {
    site: site.id,
    materialId: `post-${material}`,
    versionId: `v${at}`,
    versionCdate: momentOf(at),
    receivedAt: momentOf(at),
    userEmail: `editor${material % 40}@example.com`,
    html,
    state,
    metadata: null,
    archiveSha256: kept,
    keptSha256: kept,
    sizeBytes: 10_000 + ((at * 37) % 90_000),
    publicBase: 'https://site.test',
    warnings: [],
    media: [{ name: `picture-${at % 50}.jpg`, sha256: image, sizeBytes: 20_000 }],
    references: [],
    referencesForm,
    title: `${word(material)} ${word(material + 3)} ${material}`,
  }
  const blobs = [html, state, kept, image].map((sha256) => ({ sha256, sizeBytes: 20_000, pack: null }))
  const hasCallback = at < callbacks && isStored(at) && kindOf(at) === 'article_saved'
  const delivery = hasCallback ? deliveryOf(at, materials) : null
  return { change: { kind: 'version_stored', version, blobs, delivery }, beside: { pageText: some(material, 150) } }
}

const deliveryOf = (at: number, materials: number): LoggedDelivery => ({
  id: `callback-${at}`,
  receivedAt: momentOf(at),
  materialId: `post-${at % materials}`,
  contentUrl: addressOf(at),
  payload: null,
  headers: [],
  bodyBytes: null,
  rm: 'Saved successfully',
  steps: [{ name: 'download', ms: 12 + (at % 40) }],
  durationMs: null,
})

function aCallback(at: number, site: Site, { materials }: LibrarySize): { arrival: Arrival; result: CallbackResult } {
  const stored = isStored(at)
  const { id, receivedAt, materialId, contentUrl, payload, steps } = deliveryOf(at, materials)
  const signature = stored ? 'valid' : 'invalid'
  return {
    arrival: { id, site: site.id, receivedAt, kind: kindOf(at), materialId, contentUrl, signature, payload },
    result: {
      outcome: stored ? 'stored' : 'rejected',
      httpStatus: stored ? 200 : 400,
      rc: stored ? 1 : 0,
      code: stored ? null : 'invalid_signature',
      rm: stored ? 'Saved successfully' : 'The signature does not match.',
      versionId: stored ? `v${at}` : null,
      duplicateOf: null,
      steps,
    },
  }
}
