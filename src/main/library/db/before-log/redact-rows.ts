import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'

import { redactMetadata, redactPayload } from '../../../../contract/domain/redaction.ts'

/** Takes a few milliseconds. */
const rowsAtOnce = 50

/**
 * Treats metadata like that of a new save: text that cannot be read cannot be searched for credentials and is not stored.
 */
function keptMetadata(text: string): string | null {
  const redacted = redactMetadata(text)
  return redacted.ok ? redacted.value.text : null
}

const columns: readonly (readonly [table: string, column: string, kept: (text: string) => string | null])[] = [
  ['version', 'metadata', keptMetadata],
  ['callback', 'payload', redactPayload],
]

/** Redacts credentials that early Galley versions stored, so that they reach neither the log nor `local.db`. */
export async function redactRows(db: Database): Promise<void> {
  for (const [table, column, kept] of columns) {
    const next = db.prepare<[number, number], { row: number; text: string }>(
      `SELECT rowid AS row, ${column} AS text FROM ${table} WHERE rowid > ? AND ${column} IS NOT NULL
       ORDER BY rowid LIMIT ?`,
    )
    const put = db.prepare<[string | null, number]>(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`)
    const redactSome = db.transaction((after: number): number | null => {
      const rows = next.all(after, rowsAtOnce)
      for (const { row, text } of rows) put.run(kept(text), row)
      return rows.at(-1)?.row ?? null
    })
    for (let after: number | null = 0; after !== null; after = redactSome(after)) await nextTurn()
  }
}
