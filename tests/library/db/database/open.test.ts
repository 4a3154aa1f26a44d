import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { databaseFiles, inspectIndex, openIndex } from '../../../../packages/library/db/database/open.ts'
import { scrub } from '../../../../packages/library/db/scrub.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { acme, emptyDatabases, openLibrary } from '../sample.ts'

describe('openIndex', () => {
  it('configures durability and integrity at every opening', async () => {
    const { files } = await emptyDatabases()
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'fullfsync', 'busy_timeout', 'local.journal_mode']
    for (const time of ['first', 'second']) {
      const db = openIndex(files)
      const pragmas = [...names, 'local.synchronous'].map((name) => [name, db.pragma(name, { simple: true })])
      db.close()
      expect(Object.fromEntries(pragmas), time).toEqual({
        journal_mode: 'wal',
        // The sync of the log is what makes a save durable.
        synchronous: 1,
        foreign_keys: 1,
        fullfsync: 1,
        busy_timeout: 5000,
        'local.journal_mode': 'wal',
        'local.synchronous': 1,
      })
    }
  })

  it.skipIf(process.platform === 'win32')('creates files that only the user can read', async () => {
    const { folder, index } = await openLibrary()
    index.settings.put('a', 'b')
    const databases = ['index.db', 'local.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
    for (const name of [...databases, 'log.db', 'library.json', 'log/00000000000000000001.jsonl'])
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600)
    expect((await stat(join(folder, 'log'))).mode & 0o777).toBe(0o700)
  })

  it('refuses rows with missing references, and values of another type', async () => {
    const { files } = await emptyDatabases()
    const db = openIndex(files)
    onTestFinished(() => void db.close())
    expect(() =>
      db.exec(`INSERT INTO material (site, material_id, title, slug, title_key) VALUES ('nobody', 'a', 'a', 'a', 'a')`),
    ).toThrow('FOREIGN KEY constraint failed')
    expect(() => db.exec(`INSERT INTO blob (sha256, size_bytes) VALUES ('a', 'many')`)).toThrow(
      'cannot store TEXT value',
    )
  })

  it('creates no index without the log', async () => {
    const { files } = await emptyDatabases()
    await rm(files.index)
    expect(() => openIndex(files)).toThrow('unable to open database file')
    expect(existsSync(files.index)).toBe(false)
  })
})

describe('the file of an index', () => {
  const looked = async (change: (file: string) => unknown) => {
    const { files } = await emptyDatabases()
    await change(files.index)
    const before = existsSync(files.index) && (await readFile(files.index))
    const found = inspectIndex(files.index)
    expect(existsSync(files.index) && (await readFile(files.index))).toEqual(before)
    return found
  }
  const sql = (statements: string) => (file: string) => {
    const db = new BetterSqlite3(file)
    db.exec(statements)
    db.close()
  }

  it('is classified without a change: current, of another schema, of a build before 0.1.0, or foreign', async () => {
    expect(await looked(() => undefined)).toEqual({ kind: 'usable', library: 'a-library' })
    expect(await looked(sql('PRAGMA user_version = 99'))).toEqual({ kind: 'other_schema', isLater: true })
    expect(await looked(sql('PRAGMA user_version = 0'))).toEqual({ kind: 'other_schema', isLater: false })
    expect(await looked(sql('PRAGMA application_id = 0'))).toEqual({ kind: 'earlier' })
    expect(await looked(sql('DELETE FROM applied'))).toEqual({ kind: 'damaged' })
    expect(await looked((file) => rm(file))).toEqual({ kind: 'absent' })
    // Its creator was killed before it wrote anything.
    expect(await looked((file) => writeFile(file, ''))).toEqual({ kind: 'absent' })
    expect(await looked((file) => writeFile(file, 'no database at all, and longer than a header: '.repeat(9)))).toEqual(
      {
        kind: 'damaged',
      },
    )
  })

  it('throws the error of the disk: an unreadable file is not an index to set aside', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'index.db'))
    expect(() => inspectIndex(join(folder, 'index.db'))).toThrow(/unable to open|disk I\/O error/)
    expect(inspectIndex(join(await temporaryFolder(), 'nothing', 'index.db'))).toEqual({ kind: 'absent' })
  })
})

describe('the index of a library', () => {
  it('keeps the first value of a setting that is only written if new', async () => {
    const { index } = await openLibrary()
    expect([index.settings.get('chosen'), index.settings.getOrPut('chosen', 'a')]).toEqual([null, 'a'])
    expect(index.settings.getOrPut('chosen', 'b')).toBe('a')
    index.settings.put('chosen', 'c')
    expect(index.settings.get('chosen')).toBe('c')
    index.settings.forget('chosen')
    expect(index.settings.get('chosen')).toBe(null)
  })

  it('detects what another connection writes, but not its own writes', async () => {
    const { index, other } = await openLibrary()
    const before = index.foreignChanges()
    index.sites.put({ ...acme, name: 'Changed here' })
    index.settings.put('here', 'yes')
    expect(index.foreignChanges()).toBe(before)
    other.exec(`UPDATE site SET name = 'Changed there'`)
    const after = index.foreignChanges()
    expect(after).toBeGreaterThan(before)
    other.exec(`INSERT INTO local.setting VALUES ('there', 'yes')`)
    expect(index.foreignChanges()).toBeGreaterThan(after)
  })

  it("is cleared of the planner's samples, in both of its files", async () => {
    const { index, other, folder } = await openLibrary()
    for (let at = 0; at < 50; at += 1)
      index.savedViews.put('acme', { subject: 'materials', name: `of ida-${at}@a.test`, query: '{}' })
    other.exec('ANALYZE')
    const samples = () => other.prepare('SELECT count(*) FROM local.sqlite_stat4').pluck().get()
    expect(samples()).toBeGreaterThan(0)
    expect(scrub(databaseFiles(folder))).toBeNull()
    expect(samples()).toBe(0)
  })

  it('lists its tables for checks, and finds no problems in an intact index', async () => {
    const { index } = await openLibrary()
    const tables = index.consistency.tables()
    expect(tables).toEqual(expect.arrayContaining(['blob', 'version', 'material_text_data', 'delivery']))
    expect(tables).not.toContain('material_text')
    expect(tables.map((table) => index.consistency.quickCheck(table))).toEqual(tables.map(() => 'ok'))
  })
})
