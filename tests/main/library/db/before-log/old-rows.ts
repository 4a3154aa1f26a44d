import { createHash } from 'node:crypto'

// The rows of a library of an older Galley: usual and odd ones for every table.

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
export const json = (value: unknown): string => JSON.stringify(value)

const site = (id: string, more: Row = {}): Row => ({
  id,
  name: `Site ${id} "日本"`,
  environment: 'prod',
  base_url: 'https://svc.test/integration',
  api_key: 'key',
  callback_url: `https://site.test/callback/${id}`,
  public_url: null,
  allowed_domains: json(['site.test', '*.b.test']),
  download_origins: '[]',
  signature_header: 'X-Service-Signature',
  publish: json({ kind: 'folder', directory: '/srv/media' }),
  unknown_materials: 'accept',
  callback_auth: 'basic',
  max_content_bytes: 1_000,
  request_timeout_ms: 2_000,
  download_timeout_ms: 3_000,
  secret_mark: null,
  callback_auth_mark: null,
  removed_at: null,
  ...more,
})

export const sites: readonly Row[] = [
  site('acme', { secret_mark: 'mark-1', callback_auth_mark: 'mark-2', publish: json({ kind: 'listener' }) }),
  site('gone', { removed_at: '2026-10-01T00:00:00.000Z' }),
  site('other', { secret_mark: 'mark-3', publish: json({ kind: 's3', bucket: 'bucket', prefix: 'p' }) }),
]

/** A version whose blobs are named after its id. */
export interface Saved {
  readonly id: string
  readonly cdate: string | null
  readonly received: string
  readonly media?: readonly string[]
  readonly more?: Row
}

export interface Opened {
  readonly id: number
  readonly site: string
  readonly materialId: string
  readonly title: string
  readonly isOpened: boolean
  readonly tags?: readonly string[]
  readonly versions: readonly Saved[]
  readonly more?: Row
}

export const day = (hour: number): string => `2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`

export const materials: readonly Opened[] = [
  {
    id: 1,
    site: 'acme',
    materialId: 'post-1',
    title: 'ÄRGER am Hafen',
    isOpened: true,
    tags: ['archive', 'front page'],
    versions: [
      { id: 'v1', cdate: day(1), received: day(2), media: ['a.png', 'b ü.png'], more: { pinned: 1, note: 'keep' } },
      {
        id: 'v2',
        cdate: '2026-11-01T12:00:00+02:00',
        received: day(11),
        media: ['a.png'],
        more: { verdict: 'approved', verdict_note: 'good', verdict_at: day(12), tags: json(['print', 'Ü']) },
      },
      // Older than the current one, but arrived later.
      { id: 'v 0/ü', cdate: day(0), received: day(13) },
    ],
  },
  // Saved and never opened; its last version has no date.
  {
    id: 2,
    site: 'acme',
    materialId: 'pöst',
    title: 'pöst',
    isOpened: false,
    versions: [
      { id: 'v1', cdate: day(1), received: day(1) },
      {
        id: 'v9',
        cdate: null,
        received: day(14),
        more: { verdict: 'rejected', verdict_note: '', verdict_at: day(15) },
      },
    ],
  },
  { id: 3, site: 'acme', materialId: 'never-saved', title: 'Never saved', isOpened: true, versions: [] },
  {
    id: 5,
    site: 'acme',
    materialId: 'refused',
    title: 'refused',
    isOpened: false,
    versions: [],
    more: { refused_reason: 'Locked by law', refused_since: day(16) },
  },
  {
    id: 8,
    site: 'gone',
    materialId: 'post-1',
    title: 'Of a removed site',
    isOpened: true,
    versions: [{ id: 'v1', cdate: day(3), received: day(3) }],
  },
]

export const warnings = [
  'The page refers to x.png, which is not in the archive.',
  'The page is empty.',
  'A sentence that no Galley of today would write.',
]

const callback = (id: string, more: Row): Row => ({
  id,
  site: 'acme',
  received_at: day(10),
  kind: 'article_saved',
  material_id: 'post-1',
  content_url: `https://svc.test/${id}`,
  signature: 'valid',
  payload: json({ callback: id, n: 1 }),
  outcome: 'stored',
  http_status: 200,
  rc: 1,
  code: null,
  rm: 'Saved successfully',
  version_id: null,
  duplicate_of: null,
  steps: json([{ name: 'download', ms: 1.5 }]),
  duration_ms: 12,
  headers: json([{ name: 'user-agent', value: 'svc' }]),
  body_bytes: 321,
  ...more,
})

export function callbacks(): readonly Row[] {
  const stored = materials.flatMap(({ site: of, materialId, versions }) =>
    versions.map(({ id, received }) =>
      callback(`${of} ${materialId} ${id}`, {
        site: of,
        material_id: materialId,
        version_id: id,
        received_at: received,
      }),
    ),
  )
  const refused = {
    outcome: 'rejected',
    http_status: 400,
    rc: 0,
    code: 'invalid_signature',
    signature: 'invalid',
    version_id: null,
  }
  return [
    callback('refused', {
      ...refused,
      signature_hash: sha('x'),
      signature_form: json({ length: 7 }),
      facts: json({ problem: 'it is not a whole ZIP file' }),
    }),
    // The second one has no callback of its own.
    ...stored.slice(0, 1),
    ...stored.slice(2),
    callback('failed', { outcome: 'failed', http_status: 502, rc: 0, code: 'download_failed', rm: 'no' }),
    callback('again', { outcome: 'duplicate', version_id: 'v1', duplicate_of: 'acme post-1 v1' }),
    callback('of nobody', { ...refused, site: 'never-added', material_id: null, content_url: null, payload: null }),
    callback('fonts 1', { kind: 'site_fonts_updated', material_id: 'site-fonts', version_id: 's/1' }),
    callback('fonts 2', {
      kind: 'site_fonts_updated',
      material_id: null,
      content_url: null,
      version_id: 's2',
      payload: null,
    }),
    callback('blocked', {
      outcome: 'refused',
      rc: 0,
      code: 'refused',
      rm: 'Saves are paused: Wartung. Nothing was saved.',
      facts: json({ rule: 'paused', reason: 'Saves are paused: Wartung. Nothing was saved.' }),
    }),
    callback('cut off', { outcome: null, http_status: null, rc: null, rm: null }),
  ]
}

export const snapshots: readonly Row[] = ['s/1', 's2'].map((id, at) => ({
  id: at + 1,
  site: 'acme',
  snapshot_id: id,
  received_at: day(at),
  css_sha256: sha(`css ${id}`),
  tree_sha256: at === 0 ? sha('tree') : null,
  answer_sha256: at === 0 ? sha('answer') : null,
  archive_sha256: sha(`received ${id}`),
  kept_sha256: sha(`kept ${id}`),
  public_base: 'https://site.test',
  warnings: json(at === 0 ? ['The fonts CSS refers to c.woff2, which is not in the archive.'] : []),
}))
