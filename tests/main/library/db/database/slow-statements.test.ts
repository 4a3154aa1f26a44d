import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'

import { watchStatements } from '../../../../../src/main/library/db/database/slow-statements.ts'

it('only a slow statement is logged, with its SQL but without its values', () => {
  const db = new BetterSqlite3(':memory:')
  onTestFinished(() => void db.close())
  db.function('hold', (ms) => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms)), 'held'))
  const lines: string[] = []
  watchStatements(db)((line) => lines.push(line))

  expect(db.prepare('SELECT ? AS said').pluck().get('quick')).toBe('quick')
  expect(lines).toEqual([])
  expect(db.prepare('SELECT hold(?)\n  AS slow').all(60)).toEqual([{ slow: 'held' }])
  expect(db.prepare('SELECT hold(?) AS one').pluck().get(60)).toBe('held')
  expect(() => db.prepare('INSERT INTO absent VALUES (1)')).toThrow('no such table')
  expect(lines).toEqual([
    expect.stringMatching(/^a statement took \d+ ms: SELECT hold\(\?\) AS slow$/),
    expect.stringMatching(/^a statement took \d+ ms: SELECT hold\(\?\) AS one$/),
  ])
})
