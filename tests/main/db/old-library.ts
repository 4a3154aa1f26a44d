import { createHash } from 'node:crypto'
import type BetterSqlite3 from 'better-sqlite3'

import { migrationsBeforeLog } from '../../../src/main/db/before-log/migrations.ts'
import { migrate } from '../../../src/main/db/migrate.ts'
import { sortKey } from '../../../src/main/db/sort-key.ts'

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const json = (value: unknown): string => JSON.stringify(value)

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

const sites: readonly Row[] = [
  site('acme', { secret_mark: 'mark-1', callback_auth_mark: 'mark-2', publish: json({ kind: 'listener' }) }),
  site('gone', { removed_at: '2026-10-01T00:00:00.000Z' }),
  site('other', { secret_mark: 'mark-3', publish: json({ kind: 's3', bucket: 'b', prefix: 'p' }) }),
]

/** A version in few words: its parts are named by its id. */
interface Saved {
  readonly id: string
  readonly cdate: string | null
  readonly received: string
  readonly media?: readonly string[]
  readonly more?: Row
}

interface Opened {
  readonly id: number
  readonly site: string
  readonly materialId: string
  readonly title: string
  readonly isOpened: boolean
  readonly tags?: readonly string[]
  readonly versions: readonly Saved[]
  readonly more?: Row
}

const day = (hour: number): string => `2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`

const materials: readonly Opened[] = [
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
      // Older than what was current, and later to arrive.
      { id: 'v 0/ü', cdate: day(0), received: day(13) },
    ],
  },
  // Saved and never opened; its last version has no date of its own.
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

const warnings = [
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

function callbacks(): readonly Row[] {
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
      facts: json({ a: 1 }),
    }),
    // The second is without a callback of its own: another way brought it.
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
    callback('cut off', { outcome: null, http_status: null, rc: null, rm: null }),
  ]
}

const snapshots: readonly Row[] = ['s/1', 's2'].map((id, at) => ({
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

/**
 * Fills a library as a Galley of this schema had it, with whatever that schema could hold: every table, and of each what is
 * usual and what is odd. A row that was just written is not written back yet.
 */
export function fillOldLibrary(db: BetterSqlite3.Database, schema: number): void {
  db.pragma('journal_mode = WAL')
  migrate(db, migrationsBeforeLog, schema)
  const add = adder(db)
  const named = new Set<string>()
  const blob = (text: string): string => {
    const hash = sha(text)
    if (named.has(hash)) return hash
    named.add(hash)
    const inPack = text.startsWith('state') || text.startsWith('html')
    const pack = { pack: inPack ? sha('a pack') : null, pack_at: inPack ? named.size * 10 : 0 }
    add('blob', { sha256: hash, size_bytes: text.length, ...pack })
    return hash
  }
  db.transaction(() => {
    for (const [name, value] of [
      ['library', 'an-old-library'],
      ['port', '8787'],
      ['callbacks-confirmed:acme', 'https://site.test/callback/acme'],
    ] as const)
      add('setting', { name, value })
    if (schema >= 2) add('setting', { name: 'save-pause', value: json({ reason: 'Moving house', since: day(20) }) })
    for (const row of sites) add('site', row)
    // The first schema had no tags.
    for (const each of materials) addMaterial(add, blob, schema >= 2 ? each : { ...each, tags: [] })
    db.exec(`UPDATE material SET current_version =
      (SELECT id FROM version WHERE material = material.id ORDER BY cdate_ms DESC, id DESC LIMIT 1)`)
    for (const row of snapshots) {
      for (const text of [`css ${String(row['snapshot_id'])}`, `kept ${String(row['snapshot_id'])}`, 'tree', 'answer'])
        blob(text)
      add('snapshot', row)
    }
    for (const name of ['Inter.woff2', 'a b.woff'])
      add('font_file', { snapshot: 1, name, sha256: blob(`font ${name}`), size_bytes: 7 })
    for (const row of callbacks()) add('callback', row)
    // Needed by nothing: a cleaning that never came.
    blob('html of nobody')
    add('site_rule', {
      site: 'acme',
      pause_reason: 'Elections',
      paused_since: day(17),
      editors: json([{ pattern: '*@old.test', reason: 'left' }]),
      token_action: 'refuse',
      token_key: 'token',
    })
    add('site_rule', { site: 'other', editors: '[]', token_action: 'accept', token_key: 'timeLimitedAuthToken' })
    add('saved_view', { site: 'acme', subject: 'materials', name: 'Mine', query: json({ q: 1 }) })
    for (const [arrival, pages] of [
      [1, [1, 2]],
      [2, [2]],
      [3, []],
    ] as const) {
      const wish = json({ site: 'acme', target: { kind: 'folder', path: '/export' }, materials: [] })
      const report = json({ counts: { files: arrival }, brokenReferences: 0, sha256: sha('bundle'), broken: [] })
      add('export', {
        arrival,
        id: `export-${arrival}`,
        site: 'acme',
        at: day(arrival),
        wish,
        report,
        pages: pages.length,
      })
      for (const version of pages) add('export_page', { version, export: arrival })
    }
    const fonts = { families: json(['Inter']), own: '[]', asked: json([{ family: 'Inter', weight: 400 }]) }
    add('page_font', { html_sha256: sha('html acme post-1 v2'), ...fonts })
  })()
}

type Add = (table: string, row: Row) => void

/** Leaves out tables and columns that the schema does not have yet. */
function adder(db: BetterSqlite3.Database): Add {
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck()
  return (table, row) => {
    const known = columns.all(table)
    const kept = Object.keys(row).filter((name) => name === 'rowid' || known.includes(name))
    if (known.length === 0) return
    const values = kept.map((name) => `@${name}`).join(', ')
    db.prepare(`INSERT INTO ${table} (${kept.join(', ')}) VALUES (${values})`).run(row)
  }
}

function addMaterial(add: Add, blob: (text: string) => string, each: Opened): void {
  const { id, site: of, materialId, title, isOpened, tags = [], versions, more = {} } = each
  const order = (saved: Saved): number => Date.parse(saved.cdate ?? saved.received)
  const current = versions.toSorted((one, other) => order(other) - order(one))[0]
  const rowOf = (saved: Saved): number => id * 10 + versions.indexOf(saved) - 9
  const session: Row = isOpened
    ? {
        session_id: `session ${id}`,
        fingerprint: 'f',
        editor_url: 'https://svc.test/editor/f',
        last_access: day(9),
        sent_metadata: '{"n":1.0}',
        opened_callback_url: id === 1 ? 'https://site.test/callback/acme' : null,
      }
    : {}
  const editor = current ? `editor of ${current.id}@a.test` : null
  const verdict: Value = current?.more?.['verdict'] ?? (current ? 'saved' : 'unsaved')
  const sizes = versions.length * 40
  add('material', {
    id,
    site: of,
    material_id: materialId,
    title,
    slug: `slug-${id}`,
    title_key: sortKey(title),
    version_count: versions.length,
    total_bytes: sizes,
    saved_at: current?.received ?? null,
    editor,
    status: verdict,
    current_version: null,
    ...session,
    ...more,
  })
  for (const tag of tags) add('material_tag', { site: of, tag, material: id })
  for (const saved of versions) {
    const name = `${of} ${materialId} ${saved.id}`
    add('version', {
      id: rowOf(saved),
      material: id,
      version_id: saved.id,
      version_cdate: saved.cdate,
      cdate_ms: order(saved),
      received_at: saved.received,
      user_email: `editor of ${saved.id}@a.test`,
      html_sha256: blob(`html ${name}`),
      state_sha256: blob(`state ${name}`),
      metadata: '{"m":1.0}',
      archive_sha256: sha(`received ${name}`),
      kept_sha256: blob(`kept ${name}`),
      media_count: saved.media?.length ?? 0,
      size_bytes: 40,
      public_base: 'https://site.test',
      warnings: json(saved.id === 'v1' ? warnings : []),
      ...saved.more,
    })
    for (const file of saved.media ?? [])
      add('media', { version: rowOf(saved), name: file, sha256: blob(`media ${file}`), size_bytes: 5 })
  }
  if (isOpened || current)
    add('material_text', { rowid: id, title, material_id: materialId, tags: tags.join(' '), page: 'words of the page' })
}
