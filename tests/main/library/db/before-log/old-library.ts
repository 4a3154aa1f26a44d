import type BetterSqlite3 from 'better-sqlite3'

import { migrationsBeforeLog } from '../../../../../src/main/library/db/before-log/migrations.ts'
import { migrate } from '../../../../../src/main/library/db/database/migrate.ts'
import { sortKey } from '../../../../../src/main/library/db/database/sort-key.ts'
import { anExport } from '../../../../support/logged-export.ts'
import type { Opened, Row, Saved, Value } from './old-rows.ts'
import { callbacks, day, json, materials, sha, sites, snapshots, warnings } from './old-rows.ts'

/**
 * Fills a library like a Galley of this schema, with usual and odd rows in every table of that schema. The last row is not
 * written back yet.
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
    // Not referenced: waits for a clean-up that never ran.
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
      const wish = json({ ...anExport.wish, target: { kind: 'folder', path: '/export' } })
      const report = json({ ...anExport.report, sha256: sha('bundle'), broken: [] })
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

/** Removes tables and columns that the schema does not have yet. */
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
