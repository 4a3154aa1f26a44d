import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

import { copyIndex } from './copy.ts'
import { hasLocalSchema, prepareLocal } from './open.ts'

/**
 * Copies `local.db` without what belongs to this machine alone: the marks of its keychain and its settings, confirmed
 * addresses among them.
 */
export async function copyLocal(local: string, target: string, signal: AbortSignal): Promise<void> {
  await copyIndex(local, target, () => undefined, signal)
  const db = new BetterSqlite3(target)
  try {
    db.pragma('journal_mode = DELETE')
    db.pragma('secure_delete = ON')
    db.exec('DELETE FROM secret_mark; DELETE FROM setting; DELETE FROM page_font')
  } finally {
    db.close()
  }
}

/** What a restore takes from the `local.db` of a backup; anything else in it is ignored. */
const taken = [
  'INSERT INTO saved_view SELECT site, subject, name, query FROM backup.saved_view',
  'INSERT INTO callback SELECT * FROM backup.callback',
  'UPDATE callbacks_of_log SET position = (SELECT position FROM backup.callbacks_of_log)',
]

/** Takes the callbacks and saved views of a copy into a fresh `local.db`; false when the copy is not one of ours. */
export function takeLocal(copy: string, local: string): boolean {
  if (!existsSync(copy) || !hasLocalSchema(copy)) return false
  prepareLocal(copy)
  const db = new BetterSqlite3(local)
  try {
    db.prepare('ATTACH ? AS backup').run(copy)
    db.transaction(() => {
      for (const statement of taken) db.exec(statement)
    })()
    return true
  } finally {
    db.close()
  }
}
