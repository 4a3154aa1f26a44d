import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openIndex, timed } from '../../../src/main/db/open.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { acme, openLibrary } from './sample.ts'

describe('openIndex', () => {
  it('sets what durability and integrity rest on, at every open', async () => {
    const file = join(await temporaryFolder(), 'index.db')
    for (const time of ['first', 'second']) {
      const db = openIndex(file)
      const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'fullfsync', 'busy_timeout'].map((name) => [
        name,
        db.pragma(name, { simple: true }),
      ])
      db.close()
      expect(Object.fromEntries(pragmas), time).toEqual({
        journal_mode: 'wal',
        synchronous: 2,
        foreign_keys: 1,
        fullfsync: 1,
        busy_timeout: 5000,
      })
    }
  })

  it.skipIf(process.platform === 'win32')('makes files that nobody else on the machine may read', async () => {
    const { file } = await openLibrary()
    for (const each of [file, `${file}-wal`, `${file}-shm`]) expect((await stat(each)).mode & 0o777, each).toBe(0o600)
  })

  it('refuses rows that name what is not there, and values of another type', async () => {
    const db = openIndex(join(await temporaryFolder(), 'index.db'))
    onTestFinished(() => void db.close())
    expect(() =>
      db.exec(`INSERT INTO material (site, material_id, title, slug) VALUES ('nobody', 'a', 'a', 'a')`),
    ).toThrow('FOREIGN KEY constraint failed')
    expect(() => db.exec(`INSERT INTO blob (sha256, size_bytes) VALUES ('a', 'many')`)).toThrow(
      'cannot store TEXT value',
    )
  })
})

describe('timed', () => {
  it('names a query that held the thread for too long, and only such', () => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    expect(timed('quick', log, () => 7)).toBe(7)
    timed('slow one', log, () => {
      const end = performance.now() + 20
      while (performance.now() < end);
    })
    expect(lines).toEqual([expect.stringMatching(/^slow query slow one: \d+ ms$/)])
  })
})

describe('the index of a library', () => {
  it('keeps the first value of a setting that is only put when new', async () => {
    const { index } = await openLibrary()
    expect([index.settings.get('library'), index.settings.getOrPut('library', 'a')]).toEqual([null, 'a'])
    expect(index.settings.getOrPut('library', 'b')).toBe('a')
    index.settings.put('library', 'c')
    expect(index.settings.get('library')).toBe('c')
  })

  it('notices what another connection writes, and not what it writes itself', async () => {
    const { index, other } = await openLibrary()
    const before = index.foreignChanges()
    index.sites.put({ ...acme, name: 'Changed here' })
    expect(index.foreignChanges()).toBe(before)
    other.exec(`UPDATE site SET name = 'Changed there'`)
    expect(index.foreignChanges()).toBeGreaterThan(before)
  })

  it('names its tables for checks, and finds nothing wrong with a sound one', async () => {
    const { index } = await openLibrary()
    const tables = index.consistency.tables()
    expect(tables).toEqual(expect.arrayContaining(['blob', 'version', 'material_text_data']))
    expect(tables).not.toContain('material_text')
    expect(tables.map((table) => index.consistency.quickCheck(table))).toEqual(tables.map(() => 'ok'))
  })
})
