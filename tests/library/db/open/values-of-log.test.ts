import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'

import { hasValuesOfLog } from '../../../../packages/library/db/open/values-of-log.ts'
import { playHistory } from '../../../support/histories.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { openAgain } from '../sample.ts'

/** Columns that a computer makes when it applies a log: the row ids, counts and orders of what is checked. */
const made = [
  ...['library', 'position', 'hash', 'segment', 'line_start', 'line_end'].map((column) => `applied.${column}`),
  ...['id', 'title_key', 'version_count', 'versions_numbered', 'total_bytes'].map((column) => `material.${column}`),
  'page_redirect.place',
  ...['number', 'cdate_ms', 'media_count'].map((column) => `version.${column}`),
  'decision.id',
  'decision.material',
  'decision.words',
  'comment.id',
  'comment.words',
  'snapshot.id',
  'retired_file.position',
  'delivery.id',
  'export.arrival',
  'export.pages',
  'release.arrival',
  'page_text.text',
]

/** No change of a log has these. `null` is a value of most columns. */
const hostile = {
  TEXT: ['nonsense', '{}', '[7]', '../../x', '\u0000', 'x'.repeat(20_000), 'x'.repeat(16 * 1024 ** 2 + 1)],
  INTEGER: [-1, 2 ** 43],
}

it('refuses an index with a value in any column that no log can say', async () => {
  const folder = await temporaryFolder()
  const live = await openAgain(folder)
  for (const seed of [1, 2, 3, 4, 5, 6, 7]) await playHistory(live.index, { seed, rounds: 20 })
  const whole = join(folder, 'whole.db')
  const { signal } = new AbortController()
  await live.index.copyTo(whole, () => undefined, signal)
  expect(await hasValuesOfLog(whole, signal)).toBe(true)
  const db = new BetterSqlite3(whole, { readonly: true })
  const columns = db
    .prepare<[], { table: string; column: string; type: keyof typeof hostile; key: string }>(
      `SELECT t.name AS "table", c.name AS "column", c.type,
         (SELECT group_concat(name) FROM pragma_table_info(t.name) WHERE pk > 0) AS key
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'material_text%' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all()
  const empty = new Set(
    columns.map(({ table }) => table).filter((table) => db.prepare(`SELECT 1 FROM ${table}`).get() === undefined),
  )
  db.close()
  const taken: string[] = []
  for (const { table, column, type, key } of columns) {
    if (empty.has(table)) continue
    let isTaken = false
    for (const value of hostile[type]) {
      const copy = join(folder, 'copy.db')
      copyFileSync(whole, copy)
      const planted = new BetterSqlite3(copy)
      planted.pragma('foreign_keys = OFF')
      planted.pragma('journal_mode = DELETE')
      try {
        const row = `SELECT ${key} FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`
        if (planted.prepare(`UPDATE ${table} SET ${column} = ? WHERE (${key}) = (${row})`).run(value).changes === 0)
          break
        isTaken = await hasValuesOfLog(copy, signal)
      } catch {
        // SQLite itself refuses it.
        isTaken = false
      } finally {
        planted.close()
      }
      if (!isTaken) break
    }
    if (isTaken) taken.push(`${table}.${column}`)
  }
  // Whether a column of `made` is refused too depends on the rows that the history gave it.
  expect(taken.filter((column) => !made.includes(column))).toEqual([])
  expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual(expect.arrayContaining(made))
  expect([...empty]).toEqual(['lost_entry', 'refused_entry'])
})
