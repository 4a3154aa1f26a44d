import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { openWriterLock } from '../../../packages/library/db/commit/writer-lock.ts'
import { databaseFiles } from '../../../packages/library/db/database/open.ts'
import { spareBytes } from '../../../packages/library/db/open/checkpoints.ts'
import { takeOwnership } from '../../../packages/library/db/owner.ts'
import type { Change } from '../../../packages/library/records/changes.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'
import { acme, aDelivery, anArrival, aVersion, blobsOf, openAgain, openLibrary, storeVersion } from './sample.ts'

const now = () => new Date()
const signal = new AbortController().signal

const stored = (versionId: string): Change => {
  const { text: _text, ...version } = aVersion(versionId)
  return { kind: 'version_stored', version, blobs: [...blobsOf(version)], delivery: aDelivery(anArrival()) }
}

type Opened = Awaited<ReturnType<typeof openLibrary>>

/** Closes a library, so that its files can be changed. */
function closed({ library, other, folder }: Opened): string {
  other.close()
  library.close()
  return folder
}

const storedIn = ({ index }: Pick<Opened, 'index'>) =>
  index.callbacks
    .list({ site: 'acme', outcome: 'stored', limit: 99 })
    .map(({ versionId }) => versionId ?? '')
    .toSorted()

/** Overwrites the end of a database, which contains rows, but not its first pages. */
function damageRows(file: string): void {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xa5, 2 * 4096))
}

describe('local.db', () => {
  it('with damaged rows is set aside, and the library opens', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    // Killed between the log and the index, so that opening must add something to the list of callbacks.
    opened.library.log.append(opened.index.commit.mark(), [stored('v2')])
    const folder = closed(opened)
    damageRows(databaseFiles(folder).local)

    const again = await openAgain(folder)
    expect(again.state).toBe('whole')
    expect(again.notes).toContainEqual({ kind: 'local_lost' })
    expect(storedIn(again)).toEqual(['v1', 'v2'])
    expect(readdirSync(folder).filter((name) => /^local\.db\.set-aside-.*Z$/.test(name))).toHaveLength(1)
  })

  it('of a longer log lists what is stored from now on', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    const older = await temporaryFolder()
    cpSync(opened.library.log.folder, older, { recursive: true })
    for (const id of ['v2', 'v3', 'v4']) storeVersion(opened.index, aVersion(id))
    const folder = closed(opened)
    rmSync(join(folder, 'log'), { recursive: true })
    cpSync(older, join(folder, 'log'), { recursive: true })
    await rebuildLibrary(folder, { from: 'log', now })

    const again = await openAgain(folder)
    const id = storeVersion(again.index, aVersion('v5'))
    expect(again.index.callbacks.closeInterrupted()).toBe(0)
    expect(again.index.callbacks.find(id)).toMatchObject({ outcome: 'stored', versionId: 'v5' })
  })

  it('can be missing when the log is written from the index', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    const folder = closed(opened)
    rmSync(databaseFiles(folder).local)
    rmSync(join(folder, 'log'), { recursive: true })
    expect(await rebuildLibrary(folder, { from: 'index', now })).toMatchObject({ versions: 1, lost: [] })
    const again = await openAgain(folder)
    expect([again.state, again.index.versions.list('acme', 'post-1')]).toMatchObject(['whole', [{ versionId: 'v1' }]])
  })
})

describe('a log that is written from the index', () => {
  it('gets its own checkpoints: those of the old log are set aside with it', async () => {
    const opened = await openLibrary()
    for (let at = 0; at < 9; at += 1) {
      storeVersion(opened.index, aVersion(`v${at}`))
      if (at > 6) await opened.library.writeCheckpoint(signal)
    }
    const { checkpoints } = opened.library
    const old = await checkpoints.positions()
    expect(old).toHaveLength(2)
    const folder = closed(opened)
    await rebuildLibrary(folder, { from: 'index', now })

    const again = await openAgain(folder)
    const position = await again.writeCheckpoint(signal)
    // The index is the one before the new log.
    expect(await again.checkpoints.positions()).toEqual([position, position - 1])
    expect(position - 1).toBe(Math.max(...old))
    // Folding ends with the one checkpoint that it has verified.
    await again.foldLog(signal)
    expect(await again.checkpoints.positions()).toEqual([again.index.commit.mark().position])
    expect(readdirSync(again.checkpoints.folder)).toHaveLength(1)
    again.close()
    rmSync(databaseFiles(folder).index)
    expect((await openAgain(folder)).index.versions.list('acme', 'post-1')).toHaveLength(9)
  })

  it('is begun again if the process was killed between its renames', async () => {
    const opened = await openLibrary()
    for (const id of ['v1', 'v2']) storeVersion(opened.index, aVersion(id))
    await opened.library.writeCheckpoint(signal)
    const folder = closed(opened)
    const [done, aside] = [await temporaryFolder(), join(folder, 'log.set-aside-1')]
    cpSync(folder, done, { recursive: true })
    await rebuildLibrary(done, { from: 'index', now })
    const steps = [
      () => renameSync(join(folder, 'log'), aside),
      () => renameSync(join(folder, 'checkpoints'), join(aside, 'checkpoints')),
      () => cpSync(join(done, 'checkpoints'), join(folder, 'checkpoints'), { recursive: true }),
    ]
    for (const step of steps) {
      step()
      const again = await openAgain(folder)
      expect([again.state, again.index.versions.list('acme', 'post-1').length]).toEqual(['log_mismatch', 2])
      again.close()
      const copy = await temporaryFolder()
      cpSync(folder, copy, { recursive: true })
      expect(await rebuildLibrary(copy, { from: 'index', now })).toMatchObject({ versions: 2, lost: [] })
    }
  })

  it.skipIf(!canMount())(
    'waits for room for the checkpoint that holds the folded log; nothing counts as lost',
    async () => {
      const disk = mountSmallDisk(100) ?? expect.fail('The disk could not be mounted')
      onTestFinished(() => disk.unmount())
      const folder = join(disk.folder, 'library')
      mkdirSync(folder)
      const opened = await openAgain(folder)
      opened.index.sites.put(acme)
      storeVersion(opened.index, aVersion('v1'))
      await opened.foldLog(signal)
      opened.close()
      rmSync(databaseFiles(folder).index)
      disk.fill(spareBytes)
      // On a disk without room it is opened as a copy for reading, in the system's temporary folder.
      for (const state of ['read_only', 'whole']) {
        const again = await openAgain(folder)
        expect([again.state, again.notes, storedIn(again)]).toMatchObject([
          state,
          [{ kind: 'rebuilt', report: { lost: [] } }],
          ['v1'],
        ])
        again.close()
        if (state === 'read_only') disk.empty()
      }
    },
  )

  it('is required if there is no log to build an index from', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    const folder = closed(opened)
    rmSync(join(folder, 'log'), { recursive: true })
    await expect(rebuildLibrary(folder, { from: 'log', now })).rejects.toThrow(
      'The log is missing or damaged, so the index cannot be rebuilt from it. Nothing was changed.',
    )
    expect(existsSync(join(folder, 'index.rebuild'))).toBe(false)
  })
})

describe('the name of a library', () => {
  it('is never that of another log or index in its folder', async () => {
    const [mine, other] = [await openLibrary(), await openLibrary()]
    storeVersion(mine.index, aVersion('mine'))
    storeVersion(other.index, aVersion('theirs'))
    const [own, name] = [mine.index.library(), other.index.library()]
    const [folder, from] = [closed(mine), closed(other)]
    const put = (what: string): void => {
      rmSync(join(folder, what), { recursive: true })
      cpSync(join(from, what), join(folder, what), { recursive: true })
    }
    cpSync(join(folder, 'log'), join(folder, 'own-log'), { recursive: true })
    put('log')
    const rebuilding = rebuildLibrary(folder, { from: 'log', now })
    await expect(rebuilding).rejects.toThrow(
      `The log in the folder is that of another library (${name}), not of this one (${own})`,
    )
    const mismatched = await openAgain(folder)
    expect([mismatched.notes, mismatched.index.library(), mismatched.state]).toEqual([[], own, 'log_mismatch'])
    mismatched.close()
    // Its index too: both are refused, by name, until a person says that the other library is to be opened here.
    put('index.db')
    await expect(openAgain(folder)).rejects.toThrow('The log in the folder is that of another library')
    await expect(rebuildLibrary(folder, { from: 'index', now })).rejects.toThrow(
      'The index in the folder is that of another library',
    )
    rmSync(join(folder, 'library.json'))
    const theirs = await openAgain(folder)
    expect([theirs.index.library(), theirs.state, storedIn(theirs)]).toEqual([name, 'whole', ['theirs']])
    theirs.close()
  })

  it('is kept by a copy that became a library of its own, whatever it is built from', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    await opened.library.writeCheckpoint(signal)
    const before = opened.index.library()
    opened.library.becomeAnother()
    const own = opened.index.library()
    expect(own).not.toBe(before)
    // Anyone who can write to the log of a team can write this.
    opened.index.commit.now(() => [{ kind: 'library_named', library: 'a-strangers', at: now().toISOString() }])
    const folder = closed(opened)
    for (const missing of ['index.db', 'checkpoints', 'index.db']) {
      rmSync(join(folder, missing), { recursive: true })
      const again = await openAgain(folder)
      expect([again.index.library(), again.state], missing).toEqual([own, 'whole'])
      again.close()
    }
  })

  it('is taken from the index if neither library.json nor the log has it', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    const name = opened.index.library()
    const file = opened.library.log.fileOf(1)
    const folder = closed(opened)
    rmSync(join(folder, 'library.json'))
    const bytes = readFileSync(file)
    bytes[20] = 0
    writeFileSync(file, bytes)
    const again = await openAgain(folder)
    expect([again.state, again.index.library()]).toEqual(['whole', name])
  })
})

describe('an older index', () => {
  it('is updated to the end of the log in slices: the event loop keeps running', async () => {
    const opened = await openLibrary()
    opened.index.settings.put('a', 'b')
    const { index: file } = databaseFiles(opened.folder)
    const older = `${file}.older`
    await opened.index.copyTo(older, () => undefined, signal)
    const since = now().toISOString()
    for (let at = 0; at < 500; at += 1) opened.index.rules.pause(null, { reason: String(at), since })
    const folder = closed(opened)
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    renameSync(older, file)

    let turns = 0
    const count = setInterval(() => (turns += 1), 0)
    const again = await openAgain(folder)
    clearInterval(count)
    expect(again.notes).toEqual([])
    expect(again.index.rules.pauseEverywhere()?.reason).toBe('499')
    expect(turns).toBeGreaterThan(0)
  })
})

describe('a library that another process is rebuilding', () => {
  it('is awaited without blocking the thread', async () => {
    const folder = closed(await openLibrary())
    const lock = openWriterLock(folder)
    const release = lock.take()
    const startedMs = performance.now()
    const opening = openAgain(folder)
    await nextTurn()
    release()
    const again = await opening
    expect(again.state).toBe('whole')
    // As long as SQLite itself would block the thread.
    expect(performance.now() - startedMs).toBeLessThan(5000)
    lock.close()
  })
})

describe('an index that another program holds', () => {
  it('is opened once it is free', async () => {
    const folder = closed(await openLibrary())
    const holder = new BetterSqlite3(databaseFiles(folder).index)
    holder.pragma('locking_mode = EXCLUSIVE')
    holder.exec('BEGIN IMMEDIATE; COMMIT')
    const opening = openAgain(folder)
    // Not before SQLite itself has given up: until then it blocks this thread.
    setTimeout(() => holder.close(), 0)
    expect((await opening).state).toBe('whole')
  })
})

describe('a folder without log and index', () => {
  it('is a new library if its files folder contains no file of a library', async () => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'files', '0'), { recursive: true })
    writeFileSync(join(folder, 'files', '.DS_Store'), 'of a file manager')
    expect((await openAgain(folder)).state).toBe('whole')
  })
})

describe('an index that another process has open', () => {
  it('is not replaced: the rebuild waits, and a lost index is reported with what to do', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    opened.library.requestRebuild('index')
    const folder = closed(opened)
    const other = takeOwnership(folder, 4711)

    const beside = await openAgain(folder)
    expect([beside.notes, beside.isRebuildRequested()]).toEqual([[], true])
    beside.close()
    expect(readdirSync(folder).filter((name) => name.includes('set-aside'))).toEqual([])
    rmSync(databaseFiles(folder).index)
    rmSync(join(folder, 'index.rebuild'))
    await expect(openAgain(folder)).rejects.toThrow(/process 4711 receives saves for it\. Nothing was changed/)
    expect(existsSync(databaseFiles(folder).index)).toBe(false)

    other?.release()
    const alone = await openAgain(folder)
    expect(alone.notes).toMatchObject([{ kind: 'rebuilt', cause: 'missing' }])
    expect(storedIn(alone)).toEqual(['v1'])
  })
})
