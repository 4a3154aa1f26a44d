import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'

import type { ArchiveWorkers, Outcome } from '../../../packages/library/archive/client.ts'
import type { Job } from '../../../packages/library/archive/jobs.ts'
import { runJob } from '../../../packages/library/archive/run-job.ts'
import { databaseFiles } from '../../../packages/library/db/database/open.ts'
import { openFileLock } from '../../../packages/library/db/file-lock.ts'
import type { IndexWork } from '../../../packages/library/db/index-work.ts'
import { indexWork } from '../../../packages/library/db/index-work.ts'
import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { createOwnership } from '../../../packages/library/db/owner.ts'
import { writeIndexBack } from '../../../packages/library/db/save/write-back.ts'
import { writeSave } from '../../../packages/library/db/save/write-save.ts'
import { createListening } from '../../../packages/library/http/listening.ts'
import { createDownloader } from '../../../packages/library/save/download.ts'
import { createFontsReader } from '../../../packages/library/save/fonts-content.ts'
import { createMediaReader } from '../../../packages/library/save/media-content.ts'
import { headOf, wholeOf } from '../../../packages/library/save/read-callback.ts'
import { createReplay } from '../../../packages/library/save/replay.ts'
import { secretsFromEnvironment } from '../../../packages/library/secrets/from-environment.ts'
import { openVault } from '../../../packages/library/vault/vault.ts'
import { createNetwork } from '../../../packages/platform/network/network.ts'
import { createPublishers } from '../../../packages/sites/publishing/publishers.ts'
import { fillSegment } from '../../support/fill-segment.ts'
import { startService } from '../../support/service.ts'
import { aFontsSave, aSave, send, temporaryFolder } from '../../support/test-galley.ts'
import { acme } from '../db/sample.ts'
import type { Event, Reaches } from './sync-order.ts'
import { orderFaults, recordDisk, sharedOrderFaults } from './sync-order.ts'

/** The work of the archive threads, done in this process, where the recorder sees it. */
const workersHere: ArchiveWorkers = {
  run: async <J extends Job>(job: J) => (await runJob(job)) as Outcome<J>,
  close: () => Promise.resolve(),
}

/** The work of the thread for large saves, in the same way. */
const workHere: IndexWork = {
  ...indexWork,
  saves: { write: writeSave, writeBack: (databases) => Promise.resolve(writeIndexBack(databases)) },
}

/** A library composed like in the app, but in this process alone. */
async function createFixture(work = workHere) {
  const service = await startService()
  const folder = join(await temporaryFolder(), 'library')
  await mkdir(folder)
  const now = () => new Date()
  const log = () => undefined
  const library = await openLibrary(folder, now, log, null, undefined, work)
  const { index } = library
  const lock = openFileLock(folder)
  const vault = await openVault(folder, index.blobs, lock)
  const secrets = secretsFromEnvironment({ GALLEY_SECRET_ACME: service.secret })
  const network = createNetwork({})
  const downloader = createDownloader(network, [5])
  const ports = {
    index,
    vault,
    readers: {
      article_saved: createMediaReader(index, vault, workersHere),
      site_fonts_updated: createFontsReader(index, workersHere),
    },
    publisherOf: createPublishers({
      environment: {},
      library: 'one',
      vault,
      network,
      secrets,
      settings: index.settings,
      isReferenced: () => true,
    }).of,
    isConfirmed: () => true,
  }
  const listening = createListening({
    ...ports,
    folder,
    library,
    ownership: createOwnership(folder),
    secrets,
    downloader,
    now,
    log,
    onCallback: () => undefined,
    bodies: { head: (bytes) => Promise.resolve(headOf(bytes)), whole: (bytes) => Promise.resolve(wholeOf(bytes)) },
    syncTeam: null,
    syncForReader: null,
    workBeside: () => Promise.resolve(),
  })
  const state = await listening.start('127.0.0.1', 0)
  if (state.kind !== 'listening') throw new Error(JSON.stringify(state))
  onTestFinished(async () => {
    await listening.stop()
    await downloader.close()
    lock.close()
    library.close()
    await service.close()
  })
  index.sites.put({
    ...acme,
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    allowedDomains: [],
    unknownMaterials: 'accept',
    callbackUrl: `${state.url}/callback/acme`,
    maxContentBytes: 50_000_000,
    downloadTimeoutMs: 60_000,
  })
  const post = ({ body, headers }: ReturnType<typeof aSave>) =>
    send(`${state.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  return { folder, service, index, post, replay: createReplay(ports, now) }
}

type Fixture = Awaited<ReturnType<typeof createFixture>>

let count = 0
/** Small files for a pack and a large one: three files with the archive. */
const files = 3
const kinds = {
  article: ({ service }: Fixture) => {
    count += 1
    const pieces = { 'small.png': `small ${count}`, 'big.bin': Buffer.alloc(90_000, `big ${count}`) }
    return aSave(service, { versionId: `v${count}`, materialId: `post-${count}`, files: pieces })
  },
  large: ({ service }: Fixture) => {
    count += 1
    const small = Array.from({ length: 1_100 }, (_, at) => [`${at}.png`, `small ${at} of ${count}`] as const)
    const pieces = { ...Object.fromEntries(small), 'big.bin': Buffer.alloc(90_000, `big ${count}`) }
    return aSave(service, { versionId: `v${count}`, materialId: `post-${count}`, files: pieces })
  },
  fonts: ({ service }: Fixture) => {
    count += 1
    return aFontsSave(
      service,
      `set-${count}`,
      {
        'vms_fonts/a.woff': Buffer.alloc(90_000, `font ${count}`),
        'vms_fonts/b.woff': `small font ${count}`,
        'vms_fonts.css': '@font-face{src:url(dummy-a.woff)}',
        'vms_fonts.json': '{"list":[{"id":"a.woff"}]}',
      },
      { list: [{ id: 'b.woff' }] },
    )
  },
} as const

/** What one save does to the disk. The sync number `forgotten`, counted from 0, is skipped. */
async function recorded(fixture: Fixture, kind: keyof typeof kinds, forgotten: number | null = null) {
  let seen = 0
  let isOver = false
  const reaches: Reaches = () => {
    if (isOver) return true
    seen += 1
    return seen - 1 !== forgotten
  }
  const { events, stop } = await recordDisk(fixture.folder, reaches)
  const answer = await fixture.post(kinds[kind](fixture))
  expect(answer.json.rc, answer.text).toBe(1)
  isOver = true
  stop()
  return { events, syncs: seen }
}

describe.runIf(process.platform === 'linux').each(['article', 'large', 'fonts'] as const)(
  'a save of kind %s',
  (kind) => {
    test.each([false, true])(
      'has its files, their folders and its line of the log on the disk before its answer (new segment: %s)',
      async (isNewSegment) => {
        const fixture = await createFixture()
        if (isNewSegment) fillSegment(fixture.index, 'another')
        const { events } = await recorded(fixture, kind)
        expect(orderFaults(events, { files, isNewSegment }), JSON.stringify(events, null, 1)).toEqual([])
      },
    )

    test.each([false, true])(
      'fails that check when any one of its syncs is left out (new segment: %s)',
      async (isNewSegment) => {
        const fixture = await createFixture()
        const passed: string[] = []
        let forgotten = 0
        for (let syncs = 1; forgotten < syncs; forgotten += 1) {
          if (isNewSegment) fillSegment(fixture.index, 'another')
          const save = await recorded(fixture, kind, forgotten)
          ;({ syncs } = save)
          if (forgotten < syncs && orderFaults(save.events, { files, isNewSegment }).length === 0)
            passed.push(`${forgotten} of ${syncs}: ${JSON.stringify(save.events)}`)
        }
        expect(passed).toEqual([])
        // Three files, their folders, the log.
        expect(forgotten).toBeGreaterThanOrEqual(isNewSegment ? 7 : 5)
      },
    )
  },
)

describe.runIf(process.platform === 'linux')('a large save whose sync of the log fails', () => {
  test('is not answered as stored, and neither are later ones', async () => {
    const fixture = await createFixture()
    const large = kinds.large(fixture)
    const { stop } = await recordDisk(
      fixture.folder,
      () => true,
      (what) => {
        if (what === 'log/*') throw Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'fdatasync' })
      },
    )
    expect((await fixture.post(large)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
    stop()
    expect(() => fixture.index.rules.pause('another', { reason: '', since: '2026-11-03T00:00:00.000Z' })).toThrow(
      'the disk did not confirm an entry of the log',
    )
    for (const later of [large, kinds.article(fixture)])
      expect((await fixture.post(later)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
  })
})

test('a large save whose thread ends keeps its files, and is answered when it is repeated', async () => {
  let lives = 0
  const fixture = await createFixture({
    ...workHere,
    saves: {
      writeBack: () => Promise.resolve([]),
      // Ends after the append, before the commit of the index.
      async write(...save) {
        lives += 1
        const index = new BetterSqlite3(databaseFiles(fixture.folder).index)
        index.exec(`CREATE TRIGGER broken BEFORE UPDATE ON applied BEGIN SELECT RAISE (ABORT, 'ended'); END`)
        expect(await writeSave(...save)).toMatchObject({ isAhead: true })
        index.exec('DROP TRIGGER broken')
        index.close()
        throw new Error('the thread ended')
      },
    },
  })
  const large = kinds.large(fixture)
  expect((await fixture.post(large)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
  expect((await fixture.post(large)).json.rc).toBe(1)
  expect([lives, fixture.index.counts().versions]).toEqual([1, 1])
})

describe.runIf(process.platform === 'linux')('a save that is already stored', () => {
  const written = (events: readonly Event[]) => events.filter(({ kind }) => kind === 'append' || kind === 'rename')

  test('is answered without another line in the log if it is repeated', async () => {
    const fixture = await createFixture()
    const save = kinds.article(fixture)
    const first = await fixture.post(save)
    const { events, stop } = await recordDisk(fixture.folder)
    expect((await fixture.post(save)).text).toBe(first.text)
    expect(written(events)).toEqual([])
    expect(events.at(-1)).toEqual({ kind: 'answer' })
    stop()
  })

  test('is replayed without another line in the log', async () => {
    const fixture = await createFixture()
    await fixture.post(kinds.article(fixture))
    await fixture.post(kinds.fonts(fixture))
    const { events, stop } = await recordDisk(fixture.folder)
    const stored = fixture.index.callbacks.list({ site: 'acme', outcome: 'stored', limit: 9 })
    expect(stored).toHaveLength(2)
    for (const record of stored)
      expect(await fixture.replay(record, false)).toMatchObject({ after: { outcome: 'duplicate', rm: record.rm } })
    expect(written(events)).toEqual([])
    stop()
  })
})

describe.runIf(process.platform === 'linux')('sixteen concurrent saves of different materials', () => {
  const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  const slowLog = (what: string): void => (what.startsWith('log') ? pause(30) : undefined)
  const sixteen = (fixture: Fixture) => Array.from({ length: 16 }, () => kinds.article(fixture))

  test('share syncs, and each has its files, their folders and the log on disk before its answer', async () => {
    const fixture = await createFixture()
    // Their archives arrive together: saves that a busy machine handles one by one share nothing.
    const allAsked = Promise.withResolvers<false>()
    let asked = 0
    fixture.service.onDownload(() => {
      asked += 1
      if (asked === 16) allAsked.resolve(false)
      return allAsked.promise
    })
    const { events, stop } = await recordDisk(fixture.folder, () => true, slowLog)
    const answers = await Promise.all(sixteen(fixture).map(fixture.post))
    stop()
    expect(answers.map(({ json }) => json.rc)).toEqual(answers.map(() => 1))
    expect(sharedOrderFaults(events)).toEqual([])
    const syncs = (of: (what: string) => boolean): number =>
      events.filter((event) => event.kind === 'sync' && of(event.what)).length
    const moves = events.filter((event) => event.kind === 'rename' && event.from === 'staging').length
    expect(moves).toBe(16 * files)
    // How many share a sync depends on the load of the machine; the bench measures it.
    expect(syncs((what) => what === 'log/*')).toBeLessThan(16)
    expect(syncs((what) => what.startsWith('files/'))).toBeLessThan(moves)
  })

  test('all fail if they share a failing sync of the log, and no later one is answered as stored', async () => {
    const fixture = await createFixture()
    let acknowledged = 0
    let syncsOfLog = 0
    const { stop } = await recordDisk(
      fixture.folder,
      () => true,
      (what) => {
        slowLog(what)
        if (what === 'log/*') syncsOfLog += 1
        if (syncsOfLog < 2) return
        throw Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'fdatasync' })
      },
    )
    const answers = await Promise.all(sixteen(fixture).map(fixture.post))
    stop()
    // One failed, and no later one was attempted.
    expect(syncsOfLog).toBe(2)
    for (const { json } of answers) {
      if (json.rc === 1) acknowledged += 1
      else expect(json).toMatchObject({ rc: 0, code: 'storage_failed' })
    }
    expect(fixture.index.counts().versions).toBe(acknowledged)
    expect(acknowledged).toBeGreaterThan(0)
    expect(acknowledged).toBeLessThan(16)
    expect((await fixture.post(kinds.article(fixture))).json).toMatchObject({ rc: 0, code: 'storage_failed' })
  })

  test.each(['files', 'log'])('the check detects a missing sync: %s', async (left) => {
    const fixture = await createFixture()
    const { events, stop } = await recordDisk(fixture.folder, (what) => !what.startsWith(left), slowLog)
    await Promise.all(sixteen(fixture).map(fixture.post))
    stop()
    expect(sharedOrderFaults(events)).not.toEqual([])
  })
})
