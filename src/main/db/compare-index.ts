import { rmSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../log/log.ts'
import type { Checkpoints } from './checkpoints.ts'
import { readIndexCopy } from './index-copy.ts'
import { databaseFiles, prepareLocal } from './open.ts'
import type { Rebuilt } from './rebuild.ts'
import { buildIndex } from './rebuild.ts'

/** Rows of one table that an index has and the log does not give, or the other way round. */
export interface TableDifference {
  readonly table: string
  readonly rows: number
}

/** What follows from the log and from nothing else; words of pages come from files. */
const questions: Readonly<Record<string, string>> = {
  material_text: 'SELECT rowid, title, material_id, tags FROM {db}.material_text',
}

/** Compares two indexes row by row. */
export function compareIndexes(one: string, other: string): readonly TableDifference[] {
  const db = new BetterSqlite3(one, { readonly: true })
  try {
    db.prepare('ATTACH ? AS other').run(other)
    const tables = db
      .prepare<[], string>(
        `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'material_text\\_%' ESCAPE '\\'
           AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'unread_page' ORDER BY name`,
      )
      .pluck()
      .all()
    return tables.flatMap((table) => {
      const question = questions[table] ?? `SELECT * FROM {db}.${table}`
      const [ours, theirs] = [question.replace('{db}', 'main'), question.replace('{db}', 'other')]
      const rows = Number(
        db
          .prepare(
            `SELECT (SELECT count(*) FROM (${ours} EXCEPT ${theirs})) + (SELECT count(*) FROM (${theirs} EXCEPT ${ours}))`,
          )
          .pluck()
          .get(),
      )
      return rows === 0 ? [] : [{ table, rows }]
    })
  } finally {
    db.close()
  }
}

interface ComparePorts {
  readonly log: LibraryLog
  readonly checkpoints?: Checkpoints
  readonly library: string
  readonly scratch: string
}

/**
 * Makes an index from the log, behind a checkpoint where its beginning was folded into one, in the folder `scratch` and compares it with a copy of the one in use. Entries behind
 * the copy's position are left out.
 */
export async function compareWithLog(
  copy: string,
  { log, checkpoints, library, scratch }: ComparePorts,
): Promise<{ readonly differences: readonly TableDifference[]; readonly built: Rebuilt }> {
  const files = databaseFiles(scratch)
  for (const file of [files.index, files.local]) rmSync(file, { force: true })
  prepareLocal(files.local)
  const upTo = readIndexCopy(copy).mark.position
  // A log that begins later follows on a checkpoint; otherwise no checkpoint has a say.
  const isWhole = log.segments()[0] === 1
  const unpackCheckpoint = isWhole || !checkpoints ? () => Promise.resolve(null) : checkpoints.unpackNewest
  const built = await buildIndex(files.index, { log, library, local: files.local, unpackCheckpoint, upTo })
  return { differences: compareIndexes(copy, files.index), built }
}
