import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'

import { compareIndexes } from '../../../packages/library/db/open/compare-index.ts'
import { emptyDatabases, sha } from './sample.ts'

/** An index with this many blobs and references, without the omitted ones. */
async function anIndex(count: number, leftOut: readonly number[]): Promise<string> {
  const { files } = await emptyDatabases()
  const db = new BetterSqlite3(files.index)
  const blob = db.prepare('INSERT INTO blob VALUES (?, 1, NULL, 0)')
  const dropped = db.prepare('INSERT INTO delivery VALUES (?, ?, ?, ?, NULL, NULL, ?, NULL)')
  const tag = db.prepare('INSERT INTO material_tag VALUES (?, ?, ?)')
  db.pragma('foreign_keys = OFF')
  db.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      if (leftOut.includes(at)) continue
      blob.run(sha(String(at)))
      dropped.run(at, `callback-${at}`, 'acme', 'article_saved', `v${at}`)
      tag.run('acme', `tag ${at % 3}`, at)
    }
  })()
  db.close()
  return files.index
}

it('large tables are compared in ranges, without gaps or overlaps at their boundaries', async () => {
  const count = 12_000
  const whole = await anIndex(count, [])
  // The ends, and the rows next to the boundaries of a range.
  const leftOut = [0, 1, 4_998, 4_999, 5_000, 5_001, 9_999, 10_000, 10_001, count - 1]
  const other = await anIndex(count, leftOut)
  const differences = ['blob', 'delivery', 'material_tag'].map((table) => ({ table, rows: leftOut.length }))
  let turns = 0
  const counting = setInterval(() => (turns += 1), 0)
  expect(await compareIndexes(whole, other)).toEqual(differences)
  expect(await compareIndexes(other, whole)).toEqual(differences)
  expect(await compareIndexes(whole, whole)).toEqual([])
  clearInterval(counting)
  expect(turns).toBeGreaterThan(0)
})
