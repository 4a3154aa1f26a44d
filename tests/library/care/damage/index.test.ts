import { copyFile, cp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import { LogMismatchError } from '../../../../packages/library/db/commit/commit.ts'
import type { OpenedLibrary } from '../../../../packages/library/db/open/open-library.ts'
import { randomFrom } from '../../../support/random.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import type { MadeLibrary } from './library.ts'
import {
  copyOf,
  expectWhole,
  expectWholeAfterOpening,
  factsOf,
  findingsOf,
  firstSegment,
  forever,
  makeLibrary,
  now,
  open,
  openQuickly,
  places,
  placesTimeoutMs,
  removeIndex,
  savedFiles,
} from './library.ts'

// A library whose index is lost, outdated, damaged or another library's: the next opening restores everything that was
// acknowledged, and never deletes a file of a save.

let made: MadeLibrary
beforeAll(async () => {
  made = await makeLibrary()
})
afterAll(() => made.remove())

const asideIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => /^index\.db\.set-aside-[\dTZ-]+$/.test(name))

describe('an unusable index is rebuilt when the library is opened', () => {
  test('an intact one is not', async () => {
    expect(await expectWholeAfterOpening(await copyOf(made.folder), made)).toEqual([])
  })

  test('missing: from the checkpoint and the log after it', async () => {
    const folder = await copyOf(made.folder)
    await removeIndex(folder)
    const [note, ...others] = await expectWholeAfterOpening(folder, made)
    expect(others).toEqual([])
    expect(note).toMatchObject({ kind: 'rebuilt', cause: 'missing', setAside: null, before: null })
    expect(note).toMatchObject({ report: { versions: 6, materials: 3, unapplied: [] } })
    expect(note?.kind === 'rebuilt' && note.report.fromCheckpoint).toBeGreaterThan(5)
  })

  test('missing, without a checkpoint: from the log alone', async () => {
    const folder = await copyOf(made.folder)
    await removeIndex(folder)
    await rm(join(folder, 'checkpoints'), { recursive: true })
    const [note] = await expectWholeAfterOpening(folder, made)
    expect(note).toMatchObject({ kind: 'rebuilt', report: { fromCheckpoint: null, versions: 6, unapplied: [] } })
  })

  test('replaced by an earlier copy: the log after it is applied', async () => {
    const folder = await copyOf(made.folder)
    await removeIndex(folder)
    await copyFile(made.older, join(folder, 'index.db'))
    expect(await expectWholeAfterOpening(folder, made)).toEqual([])
  })

  test('after a kill during work: the log after it is applied', async () => {
    expect(await expectWholeAfterOpening(await copyOf(made.killed), made)).toEqual([])
  })

  test('without its -wal, as a careless copy leaves it', async () => {
    const folder = await copyOf(made.killed)
    expect((await stat(join(folder, 'index.db-wal'))).size).toBeGreaterThan(0)
    for (const end of ['-wal', '-shm']) await rm(join(folder, `index.db${end}`))
    await expectWholeAfterOpening(folder, made)
  })

  test('with the -wal of an earlier day', async () => {
    const folder = await copyOf(made.folder)
    await copyFile(join(made.killed, 'index.db-wal'), join(folder, 'index.db-wal'))
    await expectWholeAfterOpening(folder, made)
  })

  test('of another library: set aside', async () => {
    const elsewhere = join(await temporaryFolder(), 'other')
    const other = await open(elsewhere, made)
    await other.close()
    const folder = await copyOf(made.folder)
    await removeIndex(folder)
    await cp(join(elsewhere, 'index.db'), join(folder, 'index.db'))
    const notes = await expectWholeAfterOpening(folder, made)
    const [aside] = await asideIn(folder)
    expect(notes).toMatchObject([{ kind: 'rebuilt', cause: 'other_library', setAside: aside, before: 1 }])
    const theirs = await readFile(join(folder, aside ?? ''))
    expect(theirs.equals(await readFile(join(elsewhere, 'index.db')))).toBe(true)
  })

  test.each([0, 1, 99, 100, 4096, 10_000])('truncated after %i bytes', async (length) => {
    const folder = await copyOf(made.folder)
    await truncate(join(folder, 'index.db'), length)
    const before = await savedFiles(folder)
    const { notes, close } = await heal(folder)
    close()
    expect(notes.filter(({ kind }) => kind === 'rebuilt')).toHaveLength(1)
    const galley = await open(folder, made)
    await expectWhole(galley, made)
    expect(await savedFiles(folder)).toEqual(before)
  })

  test('of a schema that this Galley does not know', async () => {
    const folder = await copyOf(made.folder)
    const db = new BetterSqlite3(join(folder, 'index.db'))
    db.exec('CREATE TABLE later (x); PRAGMA user_version = 99')
    db.close()
    const notes = await expectWholeAfterOpening(folder, made)
    expect(notes).toMatchObject([{ kind: 'rebuilt', cause: 'other_schema', setAside: expect.any(String) as string }])
  })

  test('without its application id: set aside, not taken for the index of a library without a log', async () => {
    const folder = await copyOf(made.folder)
    const db = new BetterSqlite3(join(folder, 'index.db'))
    db.pragma('application_id = 0')
    db.close()
    const notes = await expectWholeAfterOpening(folder, made)
    expect(notes).toMatchObject([{ kind: 'rebuilt', setAside: expect.any(String) as string }])
    expect(await asideIn(folder)).toHaveLength(1)
  })
})

/**
 * Opens a library as a person would after a report of damage: opens it, has it checked and repaired if something cannot
 * be read, and opens it again. Returns the last opening.
 */
async function heal(folder: string): Promise<OpenedLibrary> {
  const library = await openQuickly(folder)
  if (isReadable(library)) return library
  // The same as `fsck --repair` and the check after an unclean stop do with a damaged index.
  library.requestRebuild()
  library.close()
  return openQuickly(folder)
}

function isReadable({ index }: OpenedLibrary): boolean {
  return (
    index.consistency.tables().every((table) => index.consistency.quickCheck(table) === 'ok') &&
    index.consistency.searchIndex() === 'ok'
  )
}

test(
  `an index page of random bytes, at ${places} places: opening, and a repair if needed, restores everything`,
  async () => {
    const folder = await copyOf(made.folder)
    const whole = await openQuickly(folder)
    const facts = made.sent.map((sent) => factsOf(whole.index, sent))
    whole.close()
    expect(facts).not.toContain(null)
    const pristine = await readFile(join(folder, 'index.db'))
    const files = await savedFiles(folder)
    const pageBytes = pristine.readUInt16BE(16)
    const random = randomFrom(11)
    const thrown: string[] = []
    for (let round = 0; round < places; round += 1) {
      await removeIndex(folder)
      for (const name of await asideIn(folder)) await rm(join(folder, name))
      const page = Math.floor((random() * pristine.length) / pageBytes)
      const damaged = Buffer.from(pristine)
      for (let at = 0; at < pageBytes; at += 1) damaged[page * pageBytes + at] = Math.floor(random() * 256)
      await writeFile(join(folder, 'index.db'), damaged)
      try {
        const library = await heal(folder)
        const found = made.sent.map((sent) => factsOf(library.index, sent))
        library.close()
        expect(found, `page ${page}`).toEqual(facts)
      } catch (error) {
        thrown.push(`page ${page}: ${String(error)}`)
      }
    }
    expect(thrown).toEqual([])
    expect(await savedFiles(folder)).toEqual(files)
  },
  placesTimeoutMs,
)

test('a check of a library with a damaged page says so, repairs it with the next opening, and deletes nothing', async () => {
  const folder = await copyOf(made.folder)
  const file = join(folder, 'index.db')
  const db = new BetterSqlite3(file)
  const root = Number(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'media'`).pluck().get())
  db.close()
  const bytes = await readFile(file)
  const pageBytes = bytes.readUInt16BE(16)
  bytes.fill(0xaa, (root - 1) * pageBytes, root * pageBytes)
  await writeFile(file, bytes)
  const before = await savedFiles(folder)
  const galley = await open(folder, made)
  const found = await findingsOf(galley, { repair: true })
  expect(found.map(({ kind, fixable }) => [kind, fixable])).toContainEqual(['index_damaged', true])
  await galley.close()
  const again = await open(folder, made)
  expect(again.library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'asked' }])
  await expectWhole(again, made)
  expect(await savedFiles(folder)).toEqual(before)
})

describe('an index that is ahead of its log', () => {
  test('is not served until a person decides which of the two to use; only what that one lacks is lost', async () => {
    const elsewhere = await copyOf(made.folder)
    const logFile = join('log', firstSegment)
    const lines = (await readFile(join(elsewhere, logFile), 'utf8')).split('\n')
    await writeFile(join(elsewhere, logFile), `${lines.slice(0, -3).join('\n')}\n`)
    const before = await savedFiles(elsewhere)

    const galley = await open(elsewhere, made)
    expect(galley.library.state).toBe('log_mismatch')
    const state = await galley.listener.start('127.0.0.1', 0)
    expect(state).toEqual({ kind: 'failed', code: 'log_mismatch', port: 0 })
    expect(new LogMismatchError().message).toBe(
      'The library’s index and log don’t match. Nothing was changed. Run galley rebuild --from log to keep the ' +
        'log, or galley rebuild --from index to keep the index.',
    )
    expect(() => galley.index.fields.set('material', 'acme', [{ materialId: 'post/one' }], { title: 'x' })).toThrow(
      LogMismatchError,
    )
    expect(await findingsOf(galley, { repair: true })).toContainEqual(
      expect.objectContaining({ kind: 'log_mismatch', facts: { code: 'index_of_other_log' }, fixable: false }),
    )
    await galley.close()
    expect((await readFile(join(elsewhere, logFile), 'utf8')).split('\n')).toHaveLength(lines.length - 2)

    const another = await copyOf(elsewhere)
    const fromIndex = await rebuildLibrary(elsewhere, { from: 'index', now })
    expect(fromIndex).toMatchObject({ versions: 6, lost: [] })
    expect((await readdir(elsewhere)).filter((name) => name.startsWith('log.set-aside-'))).toHaveLength(1)
    await expectWhole(await open(elsewhere, made), made)
    expect(await savedFiles(elsewhere)).toEqual(before)

    const fromLog = await rebuildLibrary(another, { from: 'log', now })
    expect(fromLog).toMatchObject({ versions: 5, lost: [{ kind: 'entry', reason: 'only_in_old_index' }] })
    expect(fromLog.setAside?.startsWith(join(another, 'index.db.set-aside-'))).toBe(true)
    const kept = await open(another, made)
    expect(kept.library.state).toBe('whole')
    expect(made.sent.map((sent) => factsOf(kept.index, sent) !== null)).toEqual([
      ...made.sent.slice(1).map(() => true),
      false,
    ])
    expect(await savedFiles(another)).toEqual(before)
  })
})

describe('an index that is behind its log', () => {
  const putBack = async (folder: string, index: string): Promise<void> => {
    await removeIndex(folder)
    await copyFile(index, join(folder, 'index.db'))
  }

  test('also behind the beginning of a folded log: set aside and rebuilt from the checkpoint', async () => {
    const folder = await copyOf(made.folder)
    const library = await openQuickly(folder)
    await library.foldLog(forever)
    library.close()
    await putBack(folder, made.older)
    const notes = await expectWholeAfterOpening(folder, made)
    expect(notes).toMatchObject([{ kind: 'rebuilt', cause: 'behind_log', report: { versions: 6, lost: [] } }])
    expect(await asideIn(folder)).toHaveLength(1)
    expect(await expectWholeAfterOpening(folder, made)).toEqual([])
  })

  test('and behind the beginning of a log without its checkpoint stays as it is', async () => {
    const folder = await copyOf(made.folder)
    const library = await openQuickly(folder)
    await library.foldLog(forever)
    library.close()
    await putBack(folder, made.older)
    for (const name of await readdir(join(folder, 'checkpoints')))
      await truncate(join(folder, 'checkpoints', name), 100)
    const opened = await openQuickly(folder)
    expect([opened.state, opened.notes]).toEqual(['log_mismatch', []])
    opened.close()
    expect(await asideIn(folder)).toEqual([])
  })

  test.each([false, true])(
    'names what only the set-aside log has when a new log is written from it (folded: %s)',
    async (isFolded) => {
      const folder = await copyOf(made.folder)
      const library = await openQuickly(folder)
      const { position } = library.index.commit.mark()
      if (isFolded) await library.foldLog(forever)
      const end = library.index.commit.mark().position
      library.close()
      const older = new BetterSqlite3(made.older, { readonly: true })
      const before = older.prepare<[], number>('SELECT position FROM applied').pluck().get() ?? 0
      older.close()
      expect(position).toBeGreaterThan(before)
      await putBack(folder, made.older)
      const report = await rebuildLibrary(folder, { from: 'index', now })
      expect(report.lost).toEqual([{ kind: 'entry', id: `${before + 1}-${end}`, reason: 'only_in_old_log' }])
      expect(await readdir(report.logSetAside ?? '')).toContain('checkpoints')
      expect((await rebuildLibrary(folder, { from: 'log', now })).lost).toEqual([])
    },
  )

  test('names the entries of a log that went another way', async () => {
    const [here, there] = [await copyOf(made.folder), await copyOf(made.folder)]
    for (const [folder, reasons] of [
      [here, ['mine']],
      [there, ['yours', 'and', 'theirs']],
    ] as const) {
      const library = await openQuickly(folder)
      for (const reason of reasons) library.index.rules.pause(null, { reason, since: now().toISOString() })
      library.close()
    }
    await rm(join(here, 'log'), { recursive: true })
    await cp(join(there, 'log'), join(here, 'log'), { recursive: true })
    const { lost } = await rebuildLibrary(here, { from: 'index', now })
    expect(lost).toEqual([
      { kind: 'entry', id: expect.stringMatching(/^\d+-\d+$/) as string, reason: 'only_in_old_log' },
    ])
    const [first = 0, last = 0] = lost[0]?.id.split('-').map(Number) ?? []
    expect(last - first).toBe(2)
  })
})
