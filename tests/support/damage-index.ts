import { open } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/** Overwrites a table and its indexes while another process has the index open, like a failing disk. */
export async function damageIndex(library: string, table = 'version'): Promise<void> {
  const file = join(library, 'index.db')
  const db = new BetterSqlite3(file)
  // A commit of another process makes the listener read its pages again.
  db.exec('UPDATE site SET name = name')
  db.pragma('wal_checkpoint(TRUNCATE)')
  const pageBytes = Number(db.pragma('page_size', { simple: true }))
  const roots = db.prepare('SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0').pluck().all(table)
  db.close()
  await using handle = await open(file, 'r+')
  for (const root of roots)
    await handle.write(Buffer.alloc(pageBytes, 0xaa), 0, pageBytes, (Number(root) - 1) * pageBytes)
  await handle.sync()
}
