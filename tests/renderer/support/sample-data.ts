import type { CallbackRecord } from '../../../packages/library/records/callback-record.ts'
import type { SiteSummary } from '../../../packages/library/records/site.ts'
import type { SnapshotRow } from '../../../packages/library/views/fonts.ts'
import type { MaterialRow } from '../../../packages/library/views/materials.ts'
import type { VersionRow } from '../../../packages/library/views/versions.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { historyKeptMs } from '../../../packages/wire/protocol/session.ts'
import type { Step } from '../../../packages/wire/step.ts'
import type { VersionInspection } from '../../../src/ipc/versions.ts'

const minute = 60_000
const day = 24 * 60 * minute

const sha = (seed: number): Sha256 =>
  Array.from({ length: 64 }, (_, at) => ((seed * 31 + at * at * 7 + at) % 16).toString(16)).join('') as Sha256

export function aSite(over: Partial<SiteSummary> = {}): SiteSummary {
  return {
    id: 'magazine',
    name: 'Northwind Magazine',
    environment: 'prod',
    baseUrl: 'https://editor.example.com',
    apiKey: 'nw-4417',
    callbackUrl: 'https://hooks.northwind.example/callback/magazine',
    publicUrl: 'https://media.northwind.example',
    allowedDomains: ['media.northwind.example', 'northwind.example'],
    downloadOrigins: [],
    signatureHeader: 'X-Service-Signature',
    publish: { kind: 'listener' },
    unknownMaterials: 'refuse',
    callbackAuth: 'bearer',
    maxContentBytes: 200 * 1024 * 1024,
    requestTimeoutMs: 60_000,
    downloadTimeoutMs: 120_000,
    secret: 'stored',
    bucketKeys: null,
    allowHttp: false,
    isConfirmed: true,
    isSecretTried: true,
    ...over,
  }
}

/** A material saved `ago` minutes before `nowMs`, or never. */
export function aMaterial(nowMs: number, id: string, title: string, ago: number | null, versions: number): MaterialRow {
  const savedMs = ago === null ? null : nowMs - ago * minute
  return {
    site: 'magazine',
    materialId: id,
    title,
    slug: id,
    status: savedMs === null ? 'unsaved' : 'saved',
    savedBy: savedMs === null ? null : 'jonas@northwind.example',
    totalBytes: versions * 1_240_000,
    tags: [],
    thumbnail: null,
    isRefused: false,
    archivedAt: null,
    failedSave: null,
    hit: null,
    versions,
    currentVersionId: versions === 0 ? null : `v${versions}`,
    savedAt: savedMs === null ? null : new Date(savedMs).toISOString(),
    session: {
      sessionId: `s-${id}`,
      fingerprint: `f-${id}`,
      url: `https://editor.example.com/e/f-${id}`,
      lastAccess: new Date(savedMs ?? nowMs).toISOString(),
      keptUntil: new Date((savedMs ?? nowMs) + historyKeptMs).toISOString(),
    },
  }
}

export function aVersion(nowMs: number, materialId: string, number: number, of: number): VersionRow {
  return {
    site: 'magazine',
    materialId,
    versionId: `v${number}`,
    number,
    versionCdate: new Date(nowMs - (of - number) * 0.6 * day - 4 * minute).toISOString(),
    receivedAt: new Date(nowMs - (of - number) * 0.6 * day - 4 * minute + 1800).toISOString(),
    userEmail: number % 3 === 0 ? 'ida.moreau@northwind.example' : 'jonas@northwind.example',
    mediaCount: 6 + number,
    sizeBytes: 1_240_000 + number * 381_000,
    current: number === of,
    warnings: number === of - 1 ? [{ code: 'page_file_missing', name: 'img/old-hero.webp' }] : [],
    pinned: false,
    tags: [],
    note: '',
    verdict: null,
    exported: false,
    thumbnail: null,
    change: null,
  }
}

export const anInspection = (version: VersionRow): VersionInspection => ({
  version,
  hashes: { html: sha(1), state: sha(2), archive: sha(3), kept: sha(3) },
  htmlBytes: 12_000,
  stateBytes: 48_000,
  archiveBytes: 1_100_000,
  metadata: null,
  callbackId: null,
  exports: [],
})

const steps = (...named: readonly (readonly [string, number])[]): readonly Step[] =>
  named.map(([name, ms]) => ({ name, ms }))
const savedSteps = steps(
  ['signature', 0.4],
  ['rules', 0.2],
  ['download', 412],
  ['unpack', 238],
  ['store', 61],
  ['publish', 3.1],
  ['answer', 1.2],
)

/** A callback received `ago` minutes before `nowMs`. */
export function aCallback(
  nowMs: number,
  number: number,
  ago: number,
  over: Partial<CallbackRecord> = {},
): CallbackRecord {
  return {
    id: `c${String(number).padStart(5, '0')}`,
    site: 'magazine',
    receivedAt: new Date(nowMs - ago * minute).toISOString(),
    kind: 'article_saved',
    materialId: 'slow-trains',
    contentUrl: `https://editor.example.com/download/media/f-slow-trains/v${number}`,
    signature: 'valid',
    outcome: 'stored',
    httpStatus: 200,
    rc: 1,
    code: null,
    rm: 'Saved successfully',
    versionId: `v${number}`,
    duplicateOf: null,
    steps: savedSteps,
    ...over,
  }
}

export const refusedOver: Partial<CallbackRecord> = {
  outcome: 'rejected',
  httpStatus: 400,
  rc: 0,
  code: 'invalid_signature',
  signature: 'invalid',
  rm: 'The signature does not match. Nothing was saved. Check that the site and the service use the same secret.',
  versionId: null,
  steps: steps(['read', 0.3], ['signature', 0.4]),
}

const failedOver: Partial<CallbackRecord> = {
  outcome: 'failed',
  httpStatus: 502,
  rc: 0,
  code: 'download_failed',
  rm: 'The archive could not be downloaded: the service answered 503 three times. Nothing was saved. Save again in the editor.',
  versionId: null,
  steps: steps(['signature', 0.4], ['rules', 0.2], ['download', 3120]),
}

const fontsOver: Partial<CallbackRecord> = {
  kind: 'site_fonts_updated',
  materialId: null,
  rm: 'Fonts saved successfully',
  contentUrl: 'https://editor.example.com/download/fonts/nw/s7',
  versionId: 's7',
}

/** A library as a content team has it after some weeks. */
export function sampleData(nowMs: number) {
  const materials = [
    aMaterial(nowMs, 'slow-trains', 'Slow trains of the north', 4, 7),
    aMaterial(nowMs, 'spring-sale-2026', 'Spring sale: everything for the balcony', 38, 16),
    aMaterial(nowMs, 'interview-moreau', 'Interview with Ida Moreau', 3 * 60, 4),
    aMaterial(nowMs, 'about', 'About us', 26 * 60, 31),
    aMaterial(
      nowMs,
      '20481',
      'Ten kitchens that fit into a wardrobe, and what they taught us about living with less',
      3 * 24 * 60,
      9,
    ),
    aMaterial(nowMs, 'landing/berlin', 'Berlin', 12.5 * 24 * 60, 3),
    aMaterial(nowMs, 'landing/lyon', 'Lyon', 16 * 24 * 60, 2),
    aMaterial(nowMs, 'landing/porto', 'Porto', 29 * 24 * 60, 2),
    aMaterial(nowMs, 'jobs-autumn', 'Jobs, autumn round', null, 0),
  ]
  const callbacks = [
    aCallback(nowMs, 7, 4),
    aCallback(nowMs, 6, 5, refusedOver),
    aCallback(nowMs, 16, 38, { materialId: 'spring-sale-2026' }),
    aCallback(nowMs, 15, 39, {
      materialId: 'spring-sale-2026',
      outcome: 'duplicate',
      duplicateOf: 'c00016',
    }),
    aCallback(nowMs, 14, 61, { materialId: 'spring-sale-2026', ...failedOver }),
    aCallback(nowMs, 12, 150, fontsOver),
    aCallback(nowMs, 11, 180, { materialId: 'interview-moreau' }),
    aCallback(nowMs, 10, 191, {
      materialId: 'unknown-page',
      outcome: 'refused',
      rc: 0,
      code: 'refused',
      versionId: null,
      rm: 'This material was never opened from this library. Nothing was saved. Open it here first, or accept unknown materials in the site.',
      steps: steps(['signature', 0.4], ['rules', 0.2]),
    }),
    aCallback(nowMs, 9, 26 * 60, { materialId: 'about' }),
  ]
  const snapshots = [7, 6, 5].map((number): SnapshotRow => ({
    site: 'magazine',
    snapshotId: `s${number}`,
    receivedAt: new Date(nowMs - (8 - number) * 2.4 * day + 150 * minute).toISOString(),
    current: number === 7,
    files: number - 3,
    bytes: number * 41_000,
    cssUrl: 'https://media.northwind.example/fonts/magazine/current.css',
  }))
  const sites = [
    aSite(),
    aSite({
      id: 'magazine-dev',
      name: 'Northwind Magazine',
      environment: 'dev',
      secret: 'missing',
      callbackUrl: 'http://127.0.0.1:8787/callback/magazine-dev',
      publicUrl: null,
      allowedDomains: [],
    }),
    aSite({ id: 'shop', name: 'Harbour Shop', environment: 'prod' }),
  ]
  return { sites, materials, callbacks, snapshots }
}
