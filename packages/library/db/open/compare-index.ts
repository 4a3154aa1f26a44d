import { rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import { databaseFiles, prepareLocal } from '../database/open.ts'
import { readIndexCopy } from '../index-copy.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Rebuilt } from './rebuild.ts'
import { buildIndex } from './rebuild.ts'

/** Rows of a table that are only in the index or only derived from the log. */
export interface TableDifference {
  readonly table: string
  readonly rows: number
}

/** Columns that are derived from the log. Page texts come from files. */
const columnsOf = (table: string): string => (table === 'material_text' ? 'rowid, title, material_id, tags' : '*')

/** Rows to compare before yielding to the event loop. */
const rowsAtOnce = 5000

/** Compares two indexes row by row. */
export async function compareIndexes(one: string, other: string): Promise<readonly TableDifference[]> {
  const db = new BetterSqlite3(one, { readonly: true })
  try {
    db.prepare('ATTACH ? AS other').run(other)
    const tables = db
      .prepare<[], string>(
        `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'material_text\\_%' ESCAPE '\\'
           AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT IN ('page_text', 'unread_page') ORDER BY name`,
      )
      .pluck()
      .all()
    const differences: TableDifference[] = []
    for (const table of tables) {
      const rows = await differingRows(db, table)
      if (rows > 0) differences.push({ table, rows })
    }
    return differences
  } finally {
    db.close()
  }
}

type Key = readonly (string | number)[]

/** How many rows differ between two indexes. Compares ranges of the primary key. */
async function differingRows(db: Database, table: string): Promise<number> {
  const keys = db
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(table)
  const key = keys.length === 0 ? 'rowid' : keys.join(', ')
  const values = `(${key.replaceAll(/\w+/g, '?')})`
  const condition = (after: Key | null, upTo: Key | null): string =>
    [`1`, after && `(${key}) > ${values}`, upTo && `(${key}) <= ${values}`]
      .filter((part) => part !== null)
      .join(' AND ')
  let rows = 0
  for (let after: Key | null = null, isOver = false; !isOver;) {
    const from: Key = after ?? []
    const upTo: Key | null =
      db
        .prepare<(string | number)[], Key>(
          `SELECT ${key} FROM main.${table} WHERE ${condition(after, null)} ORDER BY ${key} LIMIT 1 OFFSET ${rowsAtOnce}`,
        )
        .raw()
        .get(...from) ?? null
    const [ours, theirs] = ['main', 'other'].map(
      (name) => `SELECT ${columnsOf(table)} FROM ${name}.${table} WHERE ${condition(after, upTo)}`,
    )
    const bound = [...from, ...(upTo ?? [])]
    rows += Number(
      db
        .prepare<(string | number)[], number>(
          `SELECT (SELECT count(*) FROM (${ours} EXCEPT ${theirs})) + (SELECT count(*) FROM (${theirs} EXCEPT ${ours}))`,
        )
        .pluck()
        .get(...bound, ...bound, ...bound, ...bound),
    )
    after = upTo
    isOver = upTo === null
    await nextTurn()
  }
  return rows
}

interface ComparePorts {
  readonly log: LibraryLog
  readonly checkpoints?: Checkpoints
  readonly library: string
  readonly scratch: string
}

/**
 * Builds an index from the log in the folder `scratch` and compares it with a copy of the current one, at the same position.
 * If the beginning of the log was folded into a checkpoint, starts from that.
 */
export async function compareWithLog(
  copy: string,
  { log, checkpoints, library, scratch }: ComparePorts,
): Promise<{ readonly differences: readonly TableDifference[]; readonly built: Rebuilt }> {
  const files = databaseFiles(scratch)
  for (const file of [files.index, files.local]) rmSync(file, { force: true })
  prepareLocal(files.local)
  const upTo = readIndexCopy(copy).mark.position
  const unpackCheckpoint = checkpoints && log.isFolded() ? checkpoints.unpackNewest : () => Promise.resolve(null)
  const built = await buildIndex(files.index, { log, library, local: files.local, unpackCheckpoint, upTo })
  // Entries that an index lacks come from the log it was built from, which may have been damaged or restored since.
  const differences = (await compareIndexes(copy, files.index)).filter(({ table }) => table !== 'lost_entry')
  return { differences, built }
}
