import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { migrationsBeforeLog } from '../../../../../src/main/library/db/before-log/migrations.ts'
import { migrate, MigrationError, NewerLibraryError } from '../../../../../src/main/library/db/database/migrate.ts'
import { databaseFiles } from '../../../../../src/main/library/db/database/open.ts'
import { logStart } from '../../../../../src/main/library/log/mark.ts'
import { temporaryFolder } from '../../../../support/test-galley.ts'
import { runScript } from '../run-script.ts'
import { openAgain } from '../sample.ts'

const newest = migrationsBeforeLog.length
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

const interfaceTables: readonly string[] = [
  'blob',
  'callback',
  'export',
  'export_page',
  'font_file',
  'material',
  'material_tag',
  'material_text',
  'media',
  'page_font',
  'saved_view',
  'setting',
  'site',
  'site_rule',
  'snapshot',
  'version',
]

const tablesOf: readonly (readonly string[])[] = [
  [],
  ['blob', 'callback', 'font_file', 'material', 'material_text', 'media', 'setting', 'site', 'snapshot', 'version'],
  interfaceTables,
  interfaceTables,
  interfaceTables,
  interfaceTables,
]

describe('the schemas without a log', () => {
  it('are five, and none is added', () => {
    expect(newest).toBe(5)
    expect(tablesOf).toHaveLength(newest + 1)
  })

  for (const [target, tables] of tablesOf.entries()) {
    it(`migrate an empty file to schema ${target}, exactly, and from there to the newest`, () => {
      const db = inMemory()
      migrate(db, migrationsBeforeLog, target)
      expect(version(db)).toBe(target)
      expect(names(db, 'table')).toEqual(tables)
      migrate(db, migrationsBeforeLog)
      expect(version(db)).toBe(newest)
      expect(names(db, 'table')).toEqual(tablesOf.at(-1))
    })
  }

  it('do not change a file that is up to date, or an older schema on request', () => {
    const db = inMemory()
    migrate(db, migrationsBeforeLog)
    const before = db.prepare('SELECT * FROM sqlite_schema').all()
    migrate(db, migrationsBeforeLog)
    migrate(db, migrationsBeforeLog, 0)
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before)
    expect(version(db)).toBe(newest)
  })

  it('change nothing if a step fails', () => {
    const db = inMemory()
    db.exec('CREATE TABLE version (x)')
    expect(() => migrate(db, migrationsBeforeLog)).toThrow(MigrationError)
    expect(names(db, 'table')).toEqual(['version'])
    expect(version(db)).toBe(0)
    expect(db.inTransaction).toBe(false)
  })
})

it('the current tables are strict', async () => {
  const { files } = await libraryFiles()
  for (const file of [files.index, files.local]) {
    const db = new BetterSqlite3(file, { readonly: true })
    const loose = db
      .prepare(
        `SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND schema = 'main'
           AND name NOT LIKE 'sqlite_%'`,
      )
      .all()
    db.close()
    expect(loose).toEqual([])
  }
})

async function libraryFiles() {
  const folder = await temporaryFolder()
  const library = await openAgain(folder)
  library.close()
  return { folder, files: databaseFiles(folder) }
}

describe('a library of a newer Galley', () => {
  it.each(['wal', 'delete'])(
    'with an index of its own is refused by name and not touched (journal %s)',
    async (journal) => {
      const folder = await temporaryFolder()
      const { index: file } = databaseFiles(folder)
      const newer = new BetterSqlite3(file)
      newer.pragma(`journal_mode = ${journal}`)
      newer.exec('CREATE TABLE future (x)')
      newer.pragma(`user_version = ${newest + 1}`)
      newer.close()
      const before = readFileSync(file)
      for (const time of ['first', 'second']) {
        await expect(openAgain(folder), time).rejects.toThrow(NewerLibraryError)
        await expect(openAgain(folder), time).rejects.toThrow(
          /newer version of Galley \(schema 6, this one knows 5\)\. Nothing was changed/,
        )
      }
      expect(readFileSync(file).equals(before)).toBe(true)
      expect(readdirSync(folder).filter((name) => !/^(log|index|files)\.db/.test(name))).toEqual([])
    },
  )

  it('with a folder or a local.db of a later format is refused by name', async () => {
    const { folder, files } = await libraryFiles()
    const name = readFileSync(join(folder, 'library.json'), 'utf8')
    writeFileSync(join(folder, 'library.json'), name.replace('"format":1', '"format":2'))
    await expect(openAgain(folder)).rejects.toThrow(NewerLibraryError)
    writeFileSync(join(folder, 'library.json'), name)
    const local = new BetterSqlite3(files.local)
    local.pragma('user_version = 99')
    local.close()
    await expect(openAgain(folder)).rejects.toThrow(NewerLibraryError)
  })

  it('with an index of a later format is opened, since its log defines the contents', async () => {
    const { folder, files } = await libraryFiles()
    const db = new BetterSqlite3(files.index)
    db.pragma('user_version = 99')
    db.close()
    const library = await openAgain(folder)
    expect(library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'other_schema', setAside: expect.any(String) }])
    expect(library.state).toBe('whole')
  })
})

describe('a fresh library', () => {
  it('contains what a library needs, and nothing of an older one', async () => {
    const { folder } = await libraryFiles()
    expect(readdirSync(folder).toSorted()).toEqual(['index.db', 'library.json', 'local.db', 'log', 'log.db'])
  })

  it('can be opened by two connections of one process', async () => {
    const folder = await temporaryFolder()
    const both = [await openAgain(folder), await openAgain(folder)]
    both[0]?.index.settings.put('a', '1')
    expect(both[1]?.index.settings.get('a')).toBe('1')
    expect(both[0]?.index.library()).toBe(both[1]?.index.library())
  })

  it('can be opened by several processes at the same moment, and gets one name', async () => {
    for (let round = 0; round < 2; round += 1) {
      const folder = await temporaryFolder()
      const moment = String(Date.now() + 2_500)
      const children = Array.from({ length: 4 }, () => runScript('open-at.ts', [folder, moment]))
      expect(await Promise.all(children)).toEqual(children.map(() => 'ready\nopened\n'))
      const library = await openAgain(folder)
      expect(library.notes).toEqual([])
      expect([...library.log.read(logStart)]).toHaveLength(1)
      const db = new BetterSqlite3(databaseFiles(folder).local)
      // One of each process, and the name of the library.
      expect(db.prepare('SELECT count(*) AS count FROM setting').get()).toEqual({ count: 5 })
      db.close()
    }
  })
})
