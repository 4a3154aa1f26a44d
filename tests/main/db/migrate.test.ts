import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createIndex } from '../../../src/main/db/library-index.ts'
import { migrate, MigrationError, migrations, NewerLibraryError } from '../../../src/main/db/migrate.ts'
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
    expect(() => migrate(db)).toThrow(MigrationError)
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

/** A library as an older Galley left it, with a row that was saved and not yet written back. */
async function olderLibrary(schema: number) {
  const folder = await temporaryFolder()
  const file = join(folder, 'index.db')
  const db = new BetterSqlite3(file)
  onTestFinished(() => void db.close())
  db.pragma('journal_mode = WAL')
  migrate(db, schema)
  db.prepare('INSERT INTO setting (name, value) VALUES (?, ?)').run('mark', 'before')
  const open = () => createIndex(file, () => undefined)
  const copies = () => readdirSync(folder).filter((name) => name.includes('schema-'))
  return { folder, file, db, open, copies }
}

describe('a library of an older Galley', () => {
  it('is copied as it is before it is migrated, for its owner alone', async () => {
    const { folder, open, copies } = await olderLibrary(1)
    open().close()
    expect(copies()).toEqual(['index.db.schema-1'])
    const path = join(folder, 'index.db.schema-1')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const copy = new BetterSqlite3(path)
    expect(version(copy)).toBe(1)
    expect(copy.prepare('SELECT value FROM setting WHERE name = ?').get('mark')).toEqual({ value: 'before' })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    copy.close()
    // The next opening finds nothing to do.
    rmSync(path)
    open().close()
    expect(copies()).toEqual([])
  })

  it('keeps one such copy, that of the last migration', async () => {
    const { folder, file, open, copies } = await olderLibrary(2)
    for (const left of ['.schema-1', '.schema-2.unfinished']) new BetterSqlite3(`${file}${left}`).close()
    open().close()
    expect(copies()).toEqual(['index.db.schema-2'])
    expect(readdirSync(folder)).toContain('index.db')
  })

  it('is as it was when a migration fails, and the message names the copy', async () => {
    const { db, open, copies } = await olderLibrary(2)
    db.exec('CREATE INDEX material_by_current ON material (title)')
    expect(open).toThrow(MigrationError)
    expect(open).toThrow(
      /has schema 2 .*Nothing was changed\. A copy .*index\.db\.schema-2\. Use the Galley that wrote it/,
    )
    expect(version(db)).toBe(2)
    expect(copies()).toEqual(['index.db.schema-2'])
  })

  it('is not migrated when it cannot be copied', async () => {
    const { file, db, open } = await olderLibrary(2)
    // A folder in the way that cannot be replaced by a file.
    mkdirSync(join(`${file}.schema-2`, 'full'), { recursive: true })
    expect(open).toThrow(/Nothing was changed\. Its index could not be copied before/)
    expect(version(db)).toBe(2)
  })
})

describe('a fresh library', () => {
  it('leaves no copy behind', async () => {
    const folder = await temporaryFolder()
    createIndex(join(folder, 'index.db'), () => undefined).close()
    expect(readdirSync(folder)).toEqual(['index.db'])
  })

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
      expect(index.consistency.tables().length).toBeGreaterThan(5)
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

describe('the schema of the interface', () => {
  it('gives materials of an older library their order, sizes, editors and status', () => {
    const db = inMemory()
    migrate(db, 1)
    db.exec(`
      INSERT INTO site VALUES ('acme', 'Acme', 'prod', 'u', 'k', 'c', NULL, '[]', '[]', 'h', '{}', 'refuse', 'none', 1, 1, 1, NULL, NULL, NULL);
      INSERT INTO blob VALUES ('b', 1, NULL, 0);
      INSERT INTO material (id, site, material_id, title, slug) VALUES (1, 'acme', 'a', 'ÄRGER am Hafen', 'a'), (2, 'acme', 'b', 'b', 'b');
      INSERT INTO version (id, material, version_id, cdate_ms, received_at, user_email, html_sha256, state_sha256,
          archive_sha256, kept_sha256, media_count, size_bytes, public_base, warnings)
        VALUES (1, 1, 'v1', 1, 'r', 'ida@a.test', 'b', 'b', 'b', 'b', 0, 40, 'p', '[]'),
          (2, 1, 'v2', 2, 'r', 'otto@a.test', 'b', 'b', 'b', 'b', 0, 2, 'p', '[]');
      UPDATE material SET current_version = 2, version_count = 2 WHERE id = 1;
      INSERT INTO material_text (rowid, title, material_id, tags, page) VALUES (1, 'harbour', 'a', '', 'word'), (2, 'b', 'b', '', 'harbour harbour harbour');
    `)
    migrate(db)
    expect(db.prepare('SELECT title_key, total_bytes, editor, status FROM material ORDER BY id').all()).toEqual([
      { title_key: 'ärger am hafen', total_bytes: 42, editor: 'otto@a.test', status: 'saved' },
      { title_key: 'b', total_bytes: 0, editor: null, status: 'unsaved' },
    ])
    // A word in the title says more than the same word three times in the page.
    expect(
      db.prepare(`SELECT rowid FROM material_text WHERE material_text MATCH 'harbour' ORDER BY rank`).all(),
    ).toEqual([{ rowid: 1 }, { rowid: 2 }])
  })
})
