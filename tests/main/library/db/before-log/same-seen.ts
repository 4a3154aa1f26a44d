import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect } from 'vitest'

import { indexBeforeLog } from '../../../../../src/main/library/db/before-log/convert.ts'
import { migrationsBeforeLog } from '../../../../../src/main/library/db/before-log/migrations.ts'
import { migrate } from '../../../../../src/main/library/db/database/migrate.ts'
import { databaseFiles } from '../../../../../src/main/library/db/database/open.ts'
import { readRemark } from '../../../../../src/main/library/db/database/remark-sentences.ts'
import { temporaryFolder } from '../../../../support/test-galley.ts'

const callbackColumns =
  'id, site, received_at, kind, material_id, content_url, signature, payload, outcome, http_status, rc, code, rm, version_id, duplicate_of, steps, duration_ms, headers, body_bytes, signature_hash, signature_form'
const ofVersion = `SELECT m.site, m.material_id, v.version_id`
const siteColumns =
  'id, name, environment, base_url, api_key, callback_url, public_url, allowed_domains, download_origins, signature_header, publish, unknown_materials, callback_auth, max_content_bytes, request_timeout_ms, download_timeout_ms, removed_at'

/** What users see of a library, by names instead of row ids. Differences are listed as before and after. */
const seen: readonly (readonly [string, string, string?])[] = [
  ['sites', `SELECT ${siteColumns} FROM site ORDER BY id`],
  [
    'marks of the keychain',
    'SELECT id, secret_mark, callback_auth_mark FROM site WHERE secret_mark IS NOT NULL OR callback_auth_mark IS NOT NULL ORDER BY id',
    'SELECT site AS id, secret AS secret_mark, callback_auth AS callback_auth_mark FROM local.secret_mark ORDER BY site',
  ],
  ['rules', 'SELECT site, editors, token_action, token_key FROM site_rule ORDER BY site'],
  [
    'pauses',
    `SELECT site, pause_reason AS reason, paused_since AS since FROM site_rule WHERE paused_since IS NOT NULL
     UNION ALL SELECT '', value ->> '$.reason', value ->> '$.since' FROM setting WHERE name = 'save-pause' ORDER BY 1`,
    'SELECT site, reason, since FROM save_pause ORDER BY site',
  ],
  [
    'materials, in their order',
    `SELECT m.site, m.material_id, title, slug, title_key, session_id, fingerprint, editor_url, last_access, sent_metadata,
       opened_callback_url, version_count, total_bytes, saved_at, editor, status, refused_reason, refused_since,
       (SELECT version_id FROM version WHERE id = m.current_version) AS current FROM material m ORDER BY m.id`,
  ],
  [
    'tags',
    'SELECT t.site, material_id, tag FROM material_tag t JOIN material m ON m.id = t.material ORDER BY m.id, tag',
  ],
  [
    'versions, newest first',
    `${ofVersion}, version_cdate, received_at, user_email, html_sha256, state_sha256, metadata, archive_sha256, kept_sha256,
       media_count, size_bytes, public_base, pinned, tags, note, verdict, verdict_note, verdict_at
     FROM version v JOIN material m ON m.id = v.material ORDER BY m.id, v.cdate_ms DESC, v.id DESC`,
  ],
  ['versions, as they came', `${ofVersion} FROM version v JOIN material m ON m.id = v.material ORDER BY m.id, v.id`],
  [
    'media',
    `${ofVersion}, f.name, f.sha256, f.size_bytes FROM media f JOIN version v ON v.id = f.version
     JOIN material m ON m.id = v.material ORDER BY m.id, v.id, f.name`,
  ],
  [
    'font sets, as they came',
    `SELECT site, snapshot_id, received_at, css_sha256, tree_sha256, answer_sha256, archive_sha256, kept_sha256, public_base
     FROM snapshot ORDER BY id`,
  ],
  [
    'font files',
    'SELECT site, snapshot_id, f.name, f.sha256, f.size_bytes FROM font_file f JOIN snapshot s ON s.id = f.snapshot ORDER BY s.id, name',
  ],
  // An unreferenced file is not part of the library: the next clean-up sets it aside.
  [
    'files that something needs',
    `SELECT * FROM blob WHERE sha256 IN (SELECT html_sha256 FROM version UNION SELECT state_sha256 FROM version
       UNION SELECT kept_sha256 FROM version UNION SELECT sha256 FROM media UNION SELECT sha256 FROM font_file
       UNION SELECT css_sha256 FROM snapshot UNION SELECT kept_sha256 FROM snapshot UNION SELECT tree_sha256 FROM snapshot
       UNION SELECT answer_sha256 FROM snapshot) ORDER BY sha256`,
    'SELECT * FROM blob ORDER BY sha256',
  ],
  ['exports', 'SELECT id, site, at, wish, report, pages FROM export ORDER BY arrival'],
  [
    'versions that exports hold',
    `${ofVersion}, e.id FROM export_page p JOIN export e ON e.arrival = p.export JOIN version v ON v.id = p.version
     JOIN material m ON m.id = v.material ORDER BY e.arrival, v.id`,
  ],
  [
    'the ledger',
    `SELECT id AS callback, site, kind, material_id, content_url, version_id FROM callback WHERE outcome = 'stored' ORDER BY id`,
    'SELECT callback, site, kind, material_id, content_url, version_id FROM delivery ORDER BY callback',
  ],
  [
    'callbacks',
    // Failures were sentences before they became codes.
    `SELECT ${callbackColumns}, replace(replace(facts, '"it is not a whole ZIP file"', '{"code":"not_zip"}'),
         'Saves are paused: Wartung. Nothing was saved.', 'Wartung') AS facts
       FROM callback ORDER BY arrival`,
    `SELECT ${callbackColumns}, facts FROM callback ORDER BY arrival`,
  ],
  ['saved views', 'SELECT * FROM saved_view ORDER BY site, subject, name'],
  [
    'settings',
    `SELECT * FROM setting WHERE name NOT IN ('library', 'save-pause') ORDER BY name`,
    `SELECT * FROM setting WHERE name <> 'local_library' ORDER BY name`,
  ],
  ['fonts of pages', 'SELECT html_sha256, families, own, asked FROM page_font ORDER BY html_sha256'],
]

/** Remarks as codes, whether they were stored as sentences or as codes. */
function remarksOf(db: BetterSqlite3.Database): unknown {
  const rows = db
    .prepare<[], { name: string; warnings: string }>(
      `SELECT * FROM (SELECT m.site || ' ' || m.material_id || ' ' || v.version_id AS name, warnings FROM version v
         JOIN material m ON m.id = v.material UNION ALL SELECT snapshot_id, warnings FROM snapshot) ORDER BY name`,
    )
    .all()
  return rows.map(({ name, warnings }) => [
    name,
    (JSON.parse(warnings) as unknown[]).map((each) => (typeof each === 'string' ? readRemark(each) : each)),
  ])
}

/** Compares what an old index showed with what the library shows now. */
export async function expectSameSeen(folder: string): Promise<void> {
  const copy = join(await temporaryFolder(), 'old.db')
  copyFileSync(join(folder, indexBeforeLog), copy)
  const old = new BetterSqlite3(copy)
  migrate(old, migrationsBeforeLog)
  const { index, local } = databaseFiles(folder)
  const now = new BetterSqlite3(index, { readonly: true })
  now.prepare('ATTACH ? AS local').run(local)
  try {
    for (const [what, before, after = before] of seen) {
      const rows = old.prepare(before).all()
      expect(now.prepare(after).all(), what).toEqual(rows)
    }
    expect(remarksOf(now)).toEqual(remarksOf(old))
  } finally {
    old.close()
    now.close()
  }
}
