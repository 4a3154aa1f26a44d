import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'

import { watchStatements } from '../../../../packages/library/db/database/slow-statements.ts'

const lines: string[] = []
beforeAll(() => watchStatements((line) => void lines.push(line)))
beforeEach(() => void lines.splice(0))

function aDatabase() {
  const db = new BetterSqlite3(':memory:')
  onTestFinished(() => void db.close())
  db.function('hold', (ms) => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms)), 'held'))
  return db
}

const took = (sql: string): string => `a statement took N ms: ${sql}`
const said = (): readonly string[] => lines.map((line) => line.replace(/took \d+ ms/, 'took N ms'))

it('only a slow statement is logged, with its SQL but without its values', () => {
  const db = aDatabase()
  expect(db.prepare('SELECT ? AS said').pluck().get('quick')).toBe('quick')
  expect(lines).toEqual([])
  expect(db.prepare('SELECT hold(?)\n  AS slow').all(60)).toEqual([{ slow: 'held' }])
  expect(db.prepare('SELECT hold(?) AS one').pluck().get(60)).toBe('held')
  expect(() => db.prepare('INSERT INTO absent VALUES (1)')).toThrow('no such table')
  expect(said()).toEqual([took('SELECT hold(?) AS slow'), took('SELECT hold(?) AS one')])
})

it('so is one that is run for its effect, executed, committed, iterated to the end or not, or fails', () => {
  const db = aDatabase()
  db.exec('CREATE TABLE note (text); SELECT hold(60)')
  db.prepare('INSERT INTO note VALUES (hold(?))').run(60)
  const rows = db.prepare('SELECT hold(?) AS row UNION ALL SELECT hold(30) UNION ALL SELECT hold(30)').pluck()
  expect([...rows.iterate(30)]).toEqual(['held', 'held', 'held'])
  for (const row of rows.iterate(60)) {
    expect(row).toBe('held')
    break
  }
  db.function('fail', (ms) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms))
    throw new Error('of the function')
  })
  expect(() => db.prepare('SELECT fail(60)').get()).toThrow('of the function')
  expect(() => [...db.prepare('SELECT fail(61)').iterate()]).toThrow('of the function')
  expect(said()).toEqual([
    took('CREATE TABLE note (text); SELECT hold(60)'),
    took('INSERT INTO note VALUES (hold(?))'),
    took('SELECT hold(?) AS row UNION ALL SELECT hold(30) UNION ALL SELECT hold(30)'),
    took('SELECT hold(?) AS row UNION ALL SELECT hold(30) UNION ALL SELECT hold(30)'),
    took('SELECT fail(60)'),
    took('SELECT fail(61)'),
  ])
})

it('and what transactions and pragmas run, of which the library has no statement', () => {
  const file = `${mkdtempSync(join(tmpdir(), 'slow-'))}/held.db`
  onTestFinished(() => rmSync(dirname(file), { recursive: true }))
  const [holder, waiter] = [new BetterSqlite3(file), new BetterSqlite3(file, { timeout: 80 })]
  onTestFinished(() => [holder, waiter].forEach((db) => void db.close()))
  holder.exec('CREATE TABLE note (text); BEGIN EXCLUSIVE')
  expect(() => waiter.transaction(() => undefined).immediate()).toThrow('locked')
  expect(() => waiter.pragma('user_version = 2')).toThrow('locked')
  expect(said()).toEqual([took('BEGIN IMMEDIATE'), took('PRAGMA user_version = 2')])
})
