import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createApply } from '../../../packages/library/db/apply/apply.ts'
import { createCallbackMirror } from '../../../packages/library/db/apply/callback-mirror.ts'
import { createCommit } from '../../../packages/library/db/commit/commit.ts'
import { databaseFiles, openIndex } from '../../../packages/library/db/database/open.ts'
import { openLibrary as open } from '../../../packages/library/db/open/open-library.ts'
import type { Change } from '../../../packages/library/records/changes.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'
import { aStored, entriesOf, expectSameAsLog, versionsOf } from './committed.ts'
import { acme, aDelivery, anArrival, aVersion, blobsOf, openAgain, openLibrary, storeVersion } from './sample.ts'

/** Where an index may fail after the append: what breaks it there but not before, and what repairs it. */
const failures = [
  [
    'before its COMMIT',
    `CREATE TRIGGER broken BEFORE UPDATE ON applied BEGIN SELECT RAISE (ABORT, 'database or disk is full'); END`,
    'DROP TRIGGER broken',
  ],
  [
    'at its COMMIT',
    `CREATE TABLE broken (site TEXT REFERENCES site (id) DEFERRABLE INITIALLY DEFERRED);
     CREATE TRIGGER breaking AFTER UPDATE ON applied BEGIN INSERT INTO broken VALUES ('nobody'); END`,
    'DROP TRIGGER breaking; DROP TABLE broken',
  ],
  [
    'in what belongs to this machine',
    `CREATE TRIGGER local.broken BEFORE INSERT ON callback BEGIN SELECT RAISE (ABORT, 'database or disk is full'); END`,
    'DROP TRIGGER local.broken',
  ],
] as const

describe('an index that could not be updated from its log', () => {
  it.each(failures)('is complete after the next commit, if it failed %s', async (_where, break_, mend) => {
    const opened = await openLibrary()
    const { index, folder, lines } = opened
    storeVersion(index, aVersion('before'))
    const position = index.commit.mark().position
    opened.other.exec(break_)
    await index.commit.soon(() => [aStored('stored')])
    expect(lines).toEqual([expect.stringContaining('could not follow its log')])
    expect(index.commit.isAhead()).toBe(true)
    expect(index.commit.mark().position).toBe(position)
    expect(versionsOf(opened)).toEqual(['before'])
    expect(entriesOf(opened)).toHaveLength(position + 1)
    opened.other.exec(mend)

    storeVersion(index, aVersion('after'))
    expect(versionsOf(opened)).toEqual(['after', 'before', 'stored'])
    expect(index.commit.isAhead()).toBe(false)
    await expectSameAsLog(opened)
    expect(existsSync(join(folder, 'lost-and-found'))).toBe(false)
  })

  it.each(failures)(
    'answers a repeated delivery once it can follow, where it failed %s',
    async (_where, break_, mend) => {
      const opened = await openLibrary()
      const { index } = opened
      const stored = aStored('stored')
      opened.other.exec(break_)
      await index.commit.soon(() => [stored])
      const { site, materialId } = stored.version
      const isKnown = () =>
        index.callbacks.storedDelivery(site, 'article_saved', materialId, stored.delivery?.contentUrl ?? '') !== null
      // Unknown values are not reported.
      expect(isKnown).toThrow()
      opened.other.exec(mend)
      expect(isKnown()).toBe(true)
      expect(index.commit.isAhead()).toBe(false)
    },
  )

  it.each(failures)('is complete after the library is opened again, if it failed %s', async (_where, break_, mend) => {
    const opened = await openLibrary()
    opened.other.exec(break_)
    opened.index.commit.now(() => [aStored('stored')])
    opened.other.exec(mend)
    opened.library.close()
    const again = await openAgain(opened.folder)
    expect(again.notes).toEqual([])
    expect(versionsOf(again)).toEqual(['stored'])
    expect(again.index.callbacks.list({ site: 'acme', outcome: 'stored', limit: 9 })).toMatchObject([
      { versionId: 'stored' },
    ])
  })
})

describe('blobs of entries that the index could not apply', () => {
  it('are known until the index applies them, and not after they were dropped', async () => {
    const opened = await openLibrary()
    const { index } = opened
    const { text: _text, ...version } = aVersion('v1')
    opened.other.exec(failures[0][1])
    await index.storeSave({ blobs: blobsOf(version), content: { version, text: '' }, delivery: () => null })
    expect(index.blobs.find(version.html)).toMatchObject({ file: version.html })
    opened.other.exec(failures[0][2])
    storeVersion(index, aVersion('v2', { versionCdate: '2027-01-01T00:00:00Z' }))
    expect(index.blobs.find(version.html)).toMatchObject({ file: version.html })
    const { site, materialId, versionId } = version
    const blobs = [version.html, version.state, version.keptSha256]
    index.commit.now(() => [{ kind: 'versions_pruned', versions: [{ site, materialId, versionId }], blobs }])
    expect(index.blobs.find(version.html)).toBe(null)
  })
})

describe('an index that cannot grow', () => {
  /** A commit on an index that accepts no further page until `grow` is called. */
  async function fullIndex() {
    const opened = await openLibrary()
    const { library, folder } = opened
    const db = openIndex(databaseFiles(folder))
    onTestFinished(() => void db.close())
    const ports = { db, log: library.log, apply: createApply(db), callbacks: createCallbackMirror(db) }
    const quiet = { onUnapplied: () => undefined, report: () => undefined, isShared: () => false }
    const commit = createCommit({ ...ports, ...quiet, lock: library.lock })
    const limit = (pages: unknown) => db.pragma(`max_page_count = ${String(pages)}`)
    limit(db.pragma('page_count', { simple: true }))
    return { opened, commit, grow: () => limit(1_000_000) }
  }
  const large = (id: string): Change => {
    const stored = aStored(id)
    return { ...stored, version: { ...stored.version, metadata: JSON.stringify('x'.repeat(100_000)) } }
  }

  it("refuses all concurrent changes with SQLite's error, and accepts them when it can grow", async () => {
    const { opened, commit, grow } = await fullIndex()
    const before = entriesOf(opened).length
    // SQLite rolls back the whole transaction on its own, including earlier changes.
    const full: unknown = expect.objectContaining({ code: 'SQLITE_FULL' })
    const outcomes = await Promise.allSettled(['a', 'b'].map((id) => commit.soon(() => [large(id)])))
    expect(outcomes).toEqual([
      { status: 'rejected', reason: full },
      { status: 'rejected', reason: full },
    ])
    expect(entriesOf(opened)).toHaveLength(before)
    grow()
    await commit.soon(() => [large('a')])
    expect(versionsOf(opened)).toEqual(['a'])
  })

  it('also reports it if it cannot apply the entries of others', async () => {
    const { opened, commit, grow } = await fullIndex()
    opened.library.log.append(commit.mark(), [large('theirs')])
    expect(() => commit.follow()).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }))
    grow()
    commit.follow()
    expect(versionsOf(opened)).toEqual(['theirs'])
  })
})

describe('an entry with one change that contradicts the rows', () => {
  const entry = () => [aStored('a'), { ...aStored('reused'), blobs: [] }, aStored('b')]

  it('is skipped as a whole, as on every computer, and recorded', async () => {
    const opened = await openLibrary()
    const { index, library, folder } = opened
    const appended = library.log.append(index.commit.mark(), entry())
    index.commit.follow()
    expect(versionsOf(opened)).toEqual([])
    expect(index.commit.mark()).toEqual(appended)
    const refused = [{ position: appended.position, why: '' }]
    expect(opened.peek('SELECT * FROM refused_entry')).toEqual(refused)
    expect(library.notes).toEqual([])
    // Nothing of it is listed as stored, and later saves are stored.
    expect(index.callbacks.list({ site: 'acme', outcome: 'stored', limit: 9 })).toEqual([])
    storeVersion(index, aVersion('c'))
    await expectSameAsLog(opened)
    library.close()
    rmSync(databaseFiles(folder).index)
    const again = await openAgain(folder)
    expect(versionsOf(again)).toEqual(['c'])
    const db = new BetterSqlite3(databaseFiles(folder).index, { readonly: true })
    expect(db.prepare('SELECT * FROM refused_entry').all()).toEqual(refused)
    db.close()
  })

  it('is applied without it after a gap, because the others contain acknowledged saves', async () => {
    const opened = await openLibrary()
    const { index, library, folder } = opened
    const lost = library.log.append(index.commit.mark(), [aStored('lost')])
    library.log.append(lost, entry())
    const file = library.log.fileOf(lost.segment)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0x20, lost.end - 100, lost.end - 90))
    index.commit.follow()
    expect(versionsOf(opened)).toEqual(['a', 'b'])
    expect(library.notes).toMatchObject([
      { kind: 'unapplied', what: { kind: 'damaged', count: 1 } },
      { kind: 'unapplied', what: { kind: 'contradicts', count: 1 } },
    ])
    expect(opened.peek('SELECT * FROM refused_entry')).toEqual([])
    // Only what is stored is listed as stored.
    const listed = index.callbacks.list({ site: 'acme', outcome: 'stored', limit: 9 })
    expect(listed.map(({ versionId }) => versionId)).toEqual(['b', 'a'])
    storeVersion(index, aVersion('c'))
    const live = opened.peek('SELECT * FROM version')
    library.close()
    rmSync(databaseFiles(folder).index)
    await openAgain(folder)
    const db = new BetterSqlite3(databaseFiles(folder).index, { readonly: true })
    expect(db.prepare('SELECT * FROM version').all()).toEqual(live)
    db.close()
  })
})

describe.skipIf(!canMount())('a full disk', () => {
  async function onSmallDisk() {
    const disk = mountSmallDisk(4)
    if (!disk) throw new Error('The disk could not be mounted')
    const library = await open(
      disk.folder,
      () => new Date(),
      () => undefined,
    )
    onTestFinished(() => {
      library.close()
      disk.unmount()
    })
    const { index } = library
    index.sites.put(acme)
    storeVersion(index, aVersion('before'))
    return { disk, library, index }
  }

  it('refuses the save and stores nothing of it; the next one is stored when there is space again', async () => {
    const { disk, library, index } = await onSmallDisk()
    const before = [index.commit.mark(), statSync(library.log.fileOf(1)).size]
    disk.fill(4_096)
    const large = {
      ...aStored('large'),
      delivery: { ...aDelivery(anArrival()), payload: JSON.stringify('x'.repeat(100_000)) },
    }
    await expect(index.commit.soon(() => [large])).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/ENOSPC|SQLITE_FULL/) }),
    )
    expect([index.commit.mark(), statSync(library.log.fileOf(1)).size]).toEqual(before)
    expect(versionsOf({ index })).toEqual(['before'])
    rmSync(join(disk.folder, 'ballast'))
    await index.commit.soon(() => [large])
    expect(versionsOf({ index })).toEqual(['before', 'large'])
    await expectSameAsLog({ library, index })
  })

  it('also refuses it if nothing at all can grow', async () => {
    const { disk, library, index } = await onSmallDisk()
    const before = statSync(library.log.fileOf(1)).size
    disk.fill(0)
    await expect(index.commit.soon(() => [aStored('v'.repeat(5_000))])).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/ENOSPC|SQLITE_FULL|SQLITE_IOERR/) }),
    )
    expect(statSync(library.log.fileOf(1)).size).toBe(before)
    expect(versionsOf({ index })).toEqual(['before'])
    rmSync(join(disk.folder, 'ballast'))
    storeVersion(index, aVersion('after'))
    expect(versionsOf({ index })).toEqual(['after', 'before'])
    await expectSameAsLog({ library, index })
  })
})
