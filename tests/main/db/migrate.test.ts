import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createIndex } from '../../../src/main/db/library-index.ts'
import { migrate, migrations, NewerLibraryError } from '../../../src/main/db/migrate.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

const version = (db: BetterSqlite3.Database): unknown => db.pragma('user_version', { simple: true })

const names = (db: BetterSqlite3.Database, type: string): readonly string[] =>
  db
    .prepare<[string], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'material_text_%'
       ORDER BY name`,
    )
    .all(type)
    .map(({ name }) => name)

function inMemory(): BetterSqlite3.Database {
  const db = new BetterSqlite3(':memory:')
  onTestFinished(() => void db.close())
  return db
}

const tablesOf: readonly (readonly string[])[] = [
  [],
  ['blob', 'callback', 'font_file', 'material', 'material_text', 'media', 'setting', 'site', 'snapshot', 'version'],
]

describe('migrations', () => {
  it('has an expectation for every schema', () => expect(tablesOf).toHaveLength(migrations.length + 1))

  for (const [target, tables] of tablesOf.entries()) {
    it(`brings an empty file to schema ${target}, exactly, and from there to the newest`, () => {
      const db = inMemory()
      migrate(db, target)
      expect(version(db)).toBe(target)
      expect(names(db, 'table')).toEqual(tables)
      migrate(db)
      expect(version(db)).toBe(migrations.length)
      expect(names(db, 'table')).toEqual(tablesOf.at(-1))
    })
  }

  it('leave a library alone that is up to date, or that is asked for an older schema', () => {
    const db = inMemory()
    migrate(db)
    const before = db.prepare('SELECT * FROM sqlite_schema').all()
    migrate(db)
    migrate(db, 0)
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before)
    expect(version(db)).toBe(migrations.length)
  })

  it('make strict tables only', () => {
    const db = inMemory()
    migrate(db)
    const loose = db
      .prepare(`SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND schema = 'main'`)
      .all()
    expect(loose).toEqual([{ name: 'sqlite_schema' }])
  })

  it('leave nothing behind when a step fails', () => {
    const db = inMemory()
    db.exec('CREATE TABLE version (x)')
    expect(() => migrate(db)).toThrow('table version already exists')
    expect(names(db, 'table')).toEqual(['version'])
    expect(version(db)).toBe(0)
    expect(db.inTransaction).toBe(false)
  })
})

describe('a library of a newer Galley', () => {
  for (const journal of ['wal', 'delete']) {
    it(`is refused by name and not touched (journal ${journal})`, async () => {
      const file = join(await temporaryFolder(), 'index.db')
      const newer = new BetterSqlite3(file)
      newer.pragma(`journal_mode = ${journal}`)
      newer.exec('CREATE TABLE future (x)')
      newer.pragma(`user_version = ${migrations.length + 1}`)
      newer.close()
      const before = readFileSync(file)
      expect(() => createIndex(file, () => undefined)).toThrow(NewerLibraryError)
      expect(() => createIndex(file, () => undefined)).toThrow(
        /newer Galley \(schema \d+, this one knows \d+\). Nothing was changed/,
      )
      expect(readFileSync(file).equals(before)).toBe(true)
    })
  }
})

describe('a fresh library', () => {
  it('may be opened by two connections of one process', async () => {
    const file = join(await temporaryFolder(), 'index.db')
    const both = [createIndex(file, () => undefined), createIndex(file, () => undefined)]
    both[0]?.settings.put('a', '1')
    expect(both[1]?.settings.get('a')).toBe('1')
    for (const index of both) index.close()
  })

  it('may be opened by several processes at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const file = join(await temporaryFolder(), 'index.db')
      const moment = Date.now() + 1_500
      const children = Array.from({ length: 4 }, () => opener(file, moment))
      expect(await Promise.all(children)).toEqual(children.map(() => 'ready\nopened\n'))
      const index = createIndex(file, () => undefined)
      expect(index.tables().length).toBeGreaterThan(5)
      index.close()
      const db = new BetterSqlite3(file)
      expect(db.prepare('SELECT count(*) AS count FROM setting').get()).toEqual({ count: 4 })
      db.close()
    }
  })
})

function opener(file: string, moment: number): Promise<string> {
  const here = import.meta.dirname
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      '--import',
      join(here, 'raw-sql.ts'),
      join(here, 'open-at.ts'),
      file,
      String(moment),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => child.once('close', () => resolve(said)))
}
