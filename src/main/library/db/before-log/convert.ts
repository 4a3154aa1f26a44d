import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

import { UnloggableError } from '../../../../contract/domain/changes.ts'
import { syncFileNow, syncFolderNow } from '../../../platform/disk/sync-folder.ts'
import { openLog } from '../../log/log.ts'
import { changesOf } from '../changes-of-index/changes-of.ts'
import { writeLog } from '../changes-of-index/write-log.ts'
import { registerCauses } from '../database/cause-sentences.ts'
import { migrate, MigrationError } from '../database/migrate.ts'
import { databaseFiles, prepareLocal } from '../database/open.ts'
import { makePrivateFile } from '../database/private-file.ts'
import { migrationsBeforeLog } from './migrations.ts'
import { redactRows } from './redact-rows.ts'

/** A copy of the index from before the library had a log. Never changed or deleted. */
export const indexBeforeLog = 'index-before-log.db'

/** Rows of the old index that belong to this computer. The library's name and pauses are part of the log. */
const localRows = [
  `INSERT INTO new.setting SELECT name, value FROM setting WHERE name NOT IN ('library', 'save-pause')`,
  // Backups are now enabled by default. A chosen folder stays.
  `UPDATE new.setting SET value = json_remove(value, '$.backups')
     WHERE name = 'app-settings' AND value ->> '$.backups.folder' IS NULL`,
  'INSERT INTO new.saved_view SELECT site, subject, name, query FROM saved_view',
  `INSERT INTO new.secret_mark SELECT id, secret_mark, callback_auth_mark FROM site
     WHERE secret_mark IS NOT NULL OR callback_auth_mark IS NOT NULL`,
  `INSERT INTO new.callback (arrival, id, site, received_at, kind, material_id, content_url, signature, payload, outcome,
       http_status, rc, code, rm, version_id, duplicate_of, steps, duration_ms, headers, body_bytes, signature_hash,
       signature_form, facts)
     SELECT arrival, id, site, received_at, kind, material_id, content_url, signature, payload, outcome,
       http_status, rc, code, rm, version_id, duplicate_of, steps, duration_ms, headers, body_bytes, signature_hash,
       signature_form, refusals_as_data(causes_as_data(facts)) FROM callback`,
  'INSERT INTO new.page_font SELECT html_sha256, families, own, asked FROM page_font',
]

/**
 * Creates the log of a library with schema 5 or older. Copies the index, then writes `local.db` and the log to a staging
 * folder and moves them into place one by one; if it is killed, the next start repeats it. The caller holds the writers'
 * lock and rebuilds the index from the log. Returns the library's name. Throws MigrationError.
 */
export async function convertLibrary(folder: string, newName: () => string, at: string): Promise<string> {
  const staging = join(folder, 'converting')
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { mode: 0o700 })
  try {
    const library = await writeParts(databaseFiles(folder).index, staging, newName, at)
    putIntoPlace(folder, staging)
    return library
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Writes the copy of the index, the log and `local.db` to the staging folder. */
async function writeParts(index: string, staging: string, newName: () => string, at: string): Promise<string> {
  const copy = join(staging, 'index.db')
  const unchanged = join(staging, indexBeforeLog)
  makePrivateFile(unchanged)
  const old = new BetterSqlite3(index, { timeout: 5000 })
  try {
    old.prepare('VACUUM INTO ?').run(unchanged)
  } finally {
    old.close()
  }
  syncFileNow(unchanged)
  copyFileSync(unchanged, copy)

  const source = new BetterSqlite3(copy)
  try {
    migrate(source, migrationsBeforeLog)
    await redactRows(source)
    const known = source.prepare<[], string>(`SELECT value FROM setting WHERE name = 'library'`).pluck().get()
    const library = known ?? newName()
    const end = await writeLog(openLog(staging), { library, at }, changesOf(source, 'before_log'))
    const newLocal = join(staging, 'local.db')
    prepareLocal(newLocal)
    source.prepare('ATTACH ? AS new').run(newLocal)
    source.pragma('new.synchronous = FULL')
    source.transaction(() => {
      registerCauses(source)
      for (const statement of localRows) source.exec(statement)
      source.prepare('UPDATE new.callbacks_of_log SET position = ?').run(end.position)
    })()
    source.exec('DETACH new')
    return library
  } catch (error) {
    // A row cannot be represented as a change, or contains invalid JSON.
    throw error instanceof UnloggableError || error instanceof SyntaxError ? new MigrationError(error) : error
  } finally {
    source.close()
  }
}

/** The log is moved last: as long as it is missing, the old index is used. */
function putIntoPlace(folder: string, staging: string): void {
  const { index, local } = databaseFiles(folder)
  const unchanged = join(folder, indexBeforeLog)
  if (!existsSync(unchanged)) renameSync(join(staging, indexBeforeLog), unchanged)
  for (const end of ['', '-wal', '-shm']) rmSync(`${local}${end}`, { force: true })
  renameSync(join(staging, 'local.db'), local)
  syncFolderNow(folder)
  renameSync(join(staging, 'log'), join(folder, 'log'))
  syncFolderNow(folder)
  // The copy contains their content.
  for (const end of ['', '-wal', '-shm']) rmSync(`${index}${end}`, { force: true })
}
