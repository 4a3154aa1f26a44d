import { copyFile, mkdir, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import { LibraryDamagedError } from '../../../../packages/library/db/open/ensure-log.ts'
import type { Sha256 } from '../../../../packages/wire/ids.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import type { MadeLibrary } from './library.ts'
import {
  copyOf,
  expectWhole,
  expectWholeAfterOpening,
  findingsOf,
  forever,
  makeLibrary,
  now,
  open,
  openQuickly,
  savedFiles,
} from './library.ts'

// A library that has lost other parts than its index and its log: the database of its machine, its name, its
// checkpoints, its files.

let made: MadeLibrary
beforeAll(async () => {
  made = await makeLibrary()
})
afterAll(() => made.remove())

const without = async (...names: readonly string[]): Promise<string> => {
  const folder = await copyOf(made.folder)
  for (const name of names) await rm(join(folder, name), { recursive: true })
  return folder
}

test.each(['owner.db', 'log.db', 'files.db'])('%s with other bytes is emptied, and locks as before', async (name) => {
  const folder = await copyOf(made.folder)
  await writeFile(join(folder, name), 'no database, and longer than the head of one: '.repeat(200))
  expect(await expectWholeAfterOpening(folder, made)).toEqual([])
  const galley = await open(folder, made)
  galley.index.rules.pause(null, { reason: 'written', since: now().toISOString() })
  await galley.close()
  expect((await stat(join(folder, name))).size).toBe(0)
})

describe('local.db', () => {
  test('missing: saves and their answers are kept, refused callbacks and settings are lost', async () => {
    const folder = await without('local.db')
    expect(await expectWholeAfterOpening(folder, made)).toEqual([{ kind: 'local_lost' }])
    const galley = await open(folder, made)
    expect(galley.index.callbacks.list({ site: null, outcome: 'refused', limit: 9 })).toEqual([])
    const stored = galley.index.callbacks.list({ site: null, outcome: 'stored', limit: 99 })
    expect(stored.map(({ versionId }) => versionId ?? '').toSorted()).toEqual(
      made.sent.map(({ versionId }) => versionId).toSorted(),
    )
  })

  test('missing together with the index', async () => {
    const notes = await expectWholeAfterOpening(await without('local.db', 'index.db'), made)
    expect(notes.map(({ kind }) => kind)).toEqual(['local_lost', 'rebuilt'])
  })

  test.each([0, 50, 5000])('truncated after %i bytes: set aside, or filled again', async (length) => {
    const folder = await copyOf(made.folder)
    await truncate(join(folder, 'local.db'), length)
    expect(await expectWholeAfterOpening(folder, made)).toEqual([{ kind: 'local_lost' }])
    if (length > 0)
      expect((await readdir(folder)).filter((name) => name.startsWith('local.db.set-aside-'))).toHaveLength(1)
  })

  test('of another library with a longer log: set aside, and no entry is called lost', async () => {
    const named = await copyOf(made.folder)
    await expectWholeAfterOpening(named, made)
    const folder = join(named, '..', 'other')
    await mkdir(folder)
    const other = await openQuickly(folder)
    other.index.settings.put('x', 'its own')
    other.close()
    const own = await readFile(join(folder, 'local.db'))
    await copyFile(join(named, 'local.db'), join(folder, 'local.db'))
    expect((await rebuildLibrary(folder, { from: 'log', now })).lost).toEqual([])
    const again = await openQuickly(folder)
    expect([again.notes, again.index.callbacks.list({ site: null, outcome: null, limit: 9 })]).toEqual([[], []])
    again.close()
    expect((await readdir(folder)).filter((name) => /^local\.db\.set-aside-[^-]*-[^.]*Z$/.test(name))).toHaveLength(1)
    // Its own file stays, whatever the index is rebuilt from.
    await writeFile(join(folder, 'local.db'), own)
    expect((await rebuildLibrary(folder, { from: 'log', now })).lost).toEqual([])
    const last = await openQuickly(folder)
    expect(last.index.settings.get('x')).toBe('its own')
    last.close()
  })

  test('of random bytes: set aside', async () => {
    const folder = await copyOf(made.folder)
    await writeFile(join(folder, 'local.db'), Buffer.alloc(20_000, 'no database'))
    expect(await expectWholeAfterOpening(folder, made)).toEqual([{ kind: 'local_lost' }])
  })
})

describe('library.json', () => {
  test.each(['gone', 'cut off'])('%s: the log knows the name', async (how) => {
    const folder = await copyOf(made.folder)
    const file = join(folder, 'library.json')
    const before = await readFile(file, 'utf8')
    await (how === 'gone' ? rm(file) : truncate(file, 20))
    expect(await expectWholeAfterOpening(folder, made)).toEqual([])
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  test('missing with the index, and with everything except the log and the files', async () => {
    await expectWholeAfterOpening(await without('library.json', 'index.db'), made)
    await expectWholeAfterOpening(await without('library.json', 'index.db', 'local.db', 'checkpoints', 'log.db'), made)
  })
})

describe('a checkpoint, without the index', () => {
  const checkpointIn = async (folder: string): Promise<string> =>
    join(folder, 'checkpoints', (await readdir(join(folder, 'checkpoints')))[0] ?? '')

  async function rebuiltWith(harm: (bytes: Buffer) => Buffer | Promise<Buffer>) {
    const folder = await without('index.db')
    const file = await checkpointIn(folder)
    await writeFile(file, await harm(await readFile(file)))
    const [note] = await expectWholeAfterOpening(folder, made)
    return note?.kind === 'rebuilt' ? note.report : expect.fail('There was no rebuild')
  }

  /** Unpacks a checkpoint, changes it with SQL, and packs it again. */
  async function changed(bytes: Buffer, sql: string): Promise<Buffer> {
    const file = join(await temporaryFolder(), 'checkpoint.db')
    await writeFile(file, gunzipSync(bytes))
    const db = new BetterSqlite3(file)
    db.unsafeMode(true)
    db.exec(sql)
    db.close()
    return gzipSync(await readFile(file))
  }

  test('is where the rebuild starts', async () => {
    expect((await rebuiltWith((bytes) => bytes)).fromCheckpoint).not.toBeNull()
  })

  test.each([0.1, 0.3, 0.5, 0.7, 0.9])('flipped at %f of it: skipped', async (part) => {
    const report = await rebuiltWith((bytes) => {
      const at = Math.floor(bytes.length * part)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      return bytes
    })
    expect(report).toMatchObject({ fromCheckpoint: null, unapplied: [] })
  })

  test.each([0, 1, 10, 1000])('truncated after %i bytes: skipped', async (length) => {
    expect(await rebuiltWith((bytes) => bytes.subarray(0, length))).toMatchObject({
      fromCheckpoint: null,
      unapplied: [],
    })
  })

  test('with a planted trigger, view or table: skipped', async () => {
    for (const sql of [
      'CREATE TRIGGER planted AFTER INSERT ON version BEGIN DELETE FROM material; END',
      'CREATE VIEW planted AS SELECT * FROM version',
      'CREATE TABLE planted (x)',
      'DROP INDEX material_by_title',
    ])
      expect(await rebuiltWith((bytes) => changed(bytes, sql)), sql).toMatchObject({
        fromCheckpoint: null,
        unapplied: [],
      })
  })

  test('of another log: skipped', async () => {
    const sql = `UPDATE applied SET hash = '${'1'.repeat(64)}'`
    expect(await rebuiltWith((bytes) => changed(bytes, sql))).toMatchObject({ fromCheckpoint: null, unapplied: [] })
  })
})

describe('without log and index', () => {
  test('a checkpoint restores everything that it contains, when a person asks for it', async () => {
    const { rebuildLibrary } = await import('../../../../packages/library/care/rebuild.ts')
    const folder = await copyOf(made.folder)
    const whole = await openQuickly(folder)
    await whole.writeCheckpoint(forever)
    whole.close()
    for (const name of ['log', 'index.db']) await rm(join(folder, name), { recursive: true })
    const library = await openQuickly(folder)
    expect(library.state).toBe('log_mismatch')
    library.close()
    expect(await rebuildLibrary(folder, { from: 'index', now })).toMatchObject({ versions: 6, lost: [] })
    await expectWhole(await open(folder, made), made)
  })

  test('and without a checkpoint nothing is opened or changed, and a message says why', async () => {
    const folder = await without('log', 'index.db', 'checkpoints')
    const before = await savedFiles(folder)
    await expect(open(folder, made)).rejects.toThrow(LibraryDamagedError)
    expect(new LibraryDamagedError()).toMatchObject({
      code: 'library_damaged',
      message:
        'The folder contains files of a library, but its log and its index are missing. Nothing was changed. ' +
        'Restore the log from a backup, or choose another folder.',
    })
    expect(await savedFiles(folder)).toEqual(before)
    expect((await readdir(folder)).includes('log')).toBe(false)
  })

  test('the same without library.json: the files show that there was a library', async () => {
    const folder = await without('log', 'index.db', 'library.json', 'checkpoints')
    const before = await savedFiles(folder)
    await expect(open(folder, made)).rejects.toThrow(LibraryDamagedError)
    expect(await savedFiles(folder)).toEqual(before)
  })

  test('only the log is missing: a mismatch, and the index restores everything', async () => {
    const { rebuildLibrary } = await import('../../../../packages/library/care/rebuild.ts')
    const folder = await without('log')
    const galley = await open(folder, made)
    expect(await galley.listener.start('127.0.0.1', 0)).toMatchObject({ kind: 'failed', code: 'log_mismatch' })
    await galley.close()
    expect(await rebuildLibrary(folder, { from: 'index', now })).toMatchObject({
      versions: 6,
      lost: [],
    })
    await expectWholeAfterOpening(folder, made)
  })
})

describe('files', () => {
  test.each(['gone', 'flipped'])('%s: named, and made again from the kept archives', async (how) => {
    const folder = await copyOf(made.folder)
    const galley = await open(folder, made)
    const kept = new Set<Sha256>()
    const db = new BetterSqlite3(join(folder, 'index.db'), { readonly: true })
    for (const sql of ['SELECT kept_sha256 FROM version', 'SELECT kept_sha256 FROM snapshot'])
      for (const file of db.prepare<[], Sha256>(sql).pluck().all()) kept.add(file)
    db.close()
    const harmed = galley.index.blobs.files().filter(({ file }) => !kept.has(file))
    expect(harmed.length).toBeGreaterThan(6)
    for (const { file } of harmed) {
      const path = galley.vault.pathOf(file)
      if (how === 'gone') await rm(path)
      else {
        const bytes = await readFile(path)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
        await writeFile(path, bytes)
      }
    }
    const found = await findingsOf(galley)
    expect(found.map(({ kind, file }) => `${kind} ${file}`).toSorted()).toEqual(
      harmed.map(({ file }) => `${how === 'gone' ? 'file_missing' : 'file_changed'} ${file}`).toSorted(),
    )
    expect((await findingsOf(galley, { repair: true })).filter(({ fixed }) => !fixed)).toEqual([])
    await expectWhole(galley, made)
  })

  test('missing together with their archives: each is reported with its uses, and nothing else changes', async () => {
    const folder = await copyOf(made.folder)
    const galley = await open(folder, made)
    const all = galley.index.blobs.files().map(({ file }) => file)
    for (const file of all) await rm(galley.vault.pathOf(file))
    for (const repair of [false, true]) {
      const found = await findingsOf(galley, { repair })
      expect(found.map(({ file }) => file ?? '').toSorted()).toEqual(all.toSorted())
      expect(found.every(({ kind, usedBy, fixed }) => kind === 'file_missing' && usedBy.length > 0 && !fixed)).toBe(
        true,
      )
    }
    expect(galley.index.counts()).toEqual({ materials: 3, versions: 6 })
  })
})
