import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import { LogMismatchError } from '../../../packages/library/db/commit/commit.ts'
import type { Change } from '../../../packages/library/records/changes.ts'
import { changesPerEntry } from '../../../packages/library/records/changes.ts'
import { recordDisk } from '../save/sync-order.ts'
import type { Opened } from './committed.ts'
import { aStored, entriesOf, expectSameAsLog, versionsOf } from './committed.ts'
import { acme, anArrival, aVersion, openAgain, openLibrary, storeVersion } from './sample.ts'

describe('concurrent changes', () => {
  it('share one entry and one sync', async () => {
    const opened = await openLibrary()
    const { index, library } = opened
    const before = index.commit.mark()
    const jobs = Array.from({ length: 16 }, (_, at) => index.commit.soon(() => [aStored(`v${at}`)]))
    expect(versionsOf(opened)).toEqual([])
    await Promise.all(jobs)
    expect(index.commit.mark().position).toBe(before.position + 1)
    const [entry, ...more] = [...library.log.read(before)]
    expect(more).toEqual([])
    expect(entry?.kind === 'entry' && entry.entry.changes).toHaveLength(16)
    expect(versionsOf(opened)).toHaveLength(16)
    await expectSameAsLog(opened)
  })

  it('of two turns of the event loop are two entries', async () => {
    const opened = await openLibrary()
    const { position } = opened.index.commit.mark()
    for (const id of ['a', 'b']) await opened.index.commit.soon(() => [aStored(id)])
    expect(opened.index.commit.mark().position).toBe(position + 2)
  })

  it("are written after another thread's write to the index ends, even if that fails", async () => {
    const opened = await openLibrary()
    const { index } = opened
    const other = Promise.withResolvers<void>()
    const held = index.commit.holdBack(() => other.promise)
    const stored = index.commit.soon(() => [aStored('meanwhile')])
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    expect(versionsOf(opened)).toEqual([])
    other.reject(new Error('the thread ended'))
    await expect(held).rejects.toThrow('the thread ended')
    await stored
    expect(versionsOf(opened)).toHaveLength(1)
    await expectSameAsLog(opened)
  })

  it('are all written if they are more than one entry can contain', async () => {
    const opened = await openLibrary()
    const count = changesPerEntry + 200
    const rename = (at: number): Change => ({
      kind: 'site_saved',
      site: { ...acme, id: `site-${at}` as never },
      owner: 'c5cf0f52-3c5e-4a35-8d1d-0d8f2a4b7e02',
    })
    await Promise.all(Array.from({ length: count }, (_, at) => opened.index.commit.soon(() => [rename(at)])))
    expect(opened.index.sites.list()).toHaveLength(count + 1)
    for (const entry of entriesOf(opened))
      expect('changes' in entry && entry.changes.length).toBeLessThanOrEqual(changesPerEntry)
    await expectSameAsLog(opened)
  })

  it('with one failure: it alone is refused, and leaves no trace in rows, row ids and the log', async () => {
    const [opened, beside] = [await openLibrary(), await openLibrary()]
    const arrivals = ['a', 'b', 'c'].map((id) => anArrival({ id, contentUrl: `https://svc.test/${id}` }))
    const good = ['a', 'b', 'c'].map((id, at) => [aStored(id, arrivals[at])])
    const [first = [], second = [], third = []] = good
    const failing: readonly (readonly [string, () => readonly Change[]])[] = [
      // Its first change is valid and takes row ids; the second one contradicts it.
      ['UNIQUE constraint', () => [aStored('bad'), aStored('bad')]],
      [
        'a bug',
        () => {
          throw new Error('a bug in deciding')
        },
      ],
      ['FOREIGN KEY', () => [{ ...aStored('bad'), blobs: [] }]],
    ]
    const outcomes = await Promise.allSettled([
      opened.index.commit.soon(() => first),
      ...failing.map(([, decide]) => opened.index.commit.soon(decide)),
      opened.index.commit.soon(() => second),
      opened.index.commit.soon(() => third),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      ...failing.map(() => 'rejected'),
      'fulfilled',
      'fulfilled',
    ])
    for (const [at, [message]] of failing.entries())
      expect(outcomes[at + 1]).toMatchObject({
        reason: expect.objectContaining({ message: expect.stringContaining(message) }),
      })

    await Promise.all(good.map((changes) => beside.index.commit.soon(() => changes)))
    const rows = ({ peek }: Opened) => [
      peek('SELECT * FROM material'),
      peek('SELECT * FROM version'),
      peek('SELECT * FROM delivery'),
    ]
    expect(rows(opened)).toEqual(rows(beside))
    expect(entriesOf(opened).at(-1)).toMatchObject({ changes: [...first, ...second, ...third] })
    await expectSameAsLog(opened)
  })

  it('that all fail, or that change nothing, write no entry', async () => {
    const opened = await openLibrary()
    const before = opened.index.commit.mark()
    await expect(opened.index.commit.soon(() => [{ ...aStored('bad'), blobs: [] }])).rejects.toThrow('FOREIGN KEY')
    await opened.index.commit.soon(() => [])
    opened.index.commit.now(() => [])
    expect(opened.index.commit.mark()).toEqual(before)
    expect(entriesOf(opened)).toHaveLength(before.position)
  })
})

describe.runIf(process.platform === 'linux')('entries of other processes', () => {
  it('are on the disk before they count, because their writer may have ended before its sync', async () => {
    const { index, library, folder } = await openLibrary()
    let isSynced = false
    const { events, stop } = await recordDisk(folder, () => isSynced)
    library.log.append(index.commit.mark(), [aStored('theirs')])
    isSynced = true
    index.commit.follow()
    index.commit.follow()
    stop()
    expect(events.flatMap((event) => (event.kind === 'sync' ? [event.what] : []))).toEqual(['log/*', 'log', '.'])
  })

  it('do not count if that sync fails', async () => {
    const opened = await openLibrary()
    const { index, library, folder } = opened
    library.log.append(index.commit.mark(), [aStored('theirs')])
    const fails = (): never => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'fsync' })
    }
    const { stop } = await recordDisk(folder, () => true, fails)
    expect(() => index.commit.follow()).toThrow('the disk did not confirm an entry of the log')
    stop()
    expect(() => index.commit.follow()).toThrow('the disk did not confirm an entry of the log')
    expect(versionsOf(opened)).toEqual([])
  })
})

describe('a change that contradicts the rows', () => {
  it('is thrown, and the log contains nothing of it', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('v1'))
    const before = [opened.index.commit.mark(), statSync(opened.library.log.fileOf(1)).size]
    expect(() => opened.index.commit.now(() => [aStored('v2'), aStored('v1')])).toThrow('UNIQUE')
    expect([opened.index.commit.mark(), statSync(opened.library.log.fileOf(1)).size]).toEqual(before)
    expect(versionsOf(opened)).toEqual(['v1'])
    storeVersion(opened.index, aVersion('v2'))
    expect(versionsOf(opened)).toEqual(['v1', 'v2'])
  })
})

describe('a change that could not be read back', () => {
  const unreadable: readonly (readonly [string, (stored: ReturnType<typeof aStored>) => Change])[] = [
    [
      'a time that is no number',
      (stored) => ({ ...stored, delivery: { ...stored.delivery, steps: [{ name: 'a', ms: Number.NaN }] } }),
    ],
    ['half a byte', (stored) => ({ ...stored, delivery: { ...stored.delivery, bodyBytes: 0.5 } })],
    ['a hash in capitals', () => ({ kind: 'blobs_dropped', blobs: ['A'.repeat(64) as never] })],
    ['a kind that nobody knows', () => ({ kind: 'site_painted', at: 'now' }) as never],
  ]
  it.each(unreadable)('is refused alone, and not acknowledged: %s', async (_name, change) => {
    const opened = await openLibrary()
    const { index, library } = opened
    const before = index.commit.mark()
    const outcomes = await Promise.allSettled([
      index.commit.soon(() => [aStored('a')]),
      index.commit.soon(() => [aStored('bad'), change(aStored('worse'))]),
      index.commit.soon(() => [aStored('b')]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(versionsOf(opened)).toEqual(['a', 'b'])
    expect([...library.log.read(before)]).toMatchObject([{ kind: 'entry', entry: { changes: [{}, {}] } }])
    expect(() => index.commit.now(() => [change(aStored('worse'))])).toThrow()
    expect(index.commit.mark().position).toBe(before.position + 1)
    await expectSameAsLog(opened)
  })

  it('gives the same rows for any order of its members', async () => {
    const opened = await openLibrary()
    const stored = aStored('v1')
    const warnings = [{ name: 'x.png', code: 'page_file_missing', more: 'than anybody asked for' }] as const
    const site = { ...acme, publish: { prefix: 'p', bucket: 'pages', kind: 's3' } } as const
    opened.index.commit.now(() => [
      { kind: 'site_saved', site, owner: 'c5cf0f52-3c5e-4a35-8d1d-0d8f2a4b7e02' },
      { ...stored, version: { ...stored.version, warnings } },
    ])
    expect(opened.peek('SELECT publish FROM site')).toEqual([
      { publish: '{"kind":"s3","bucket":"pages","prefix":"p"}' },
    ])
    expect(opened.peek('SELECT warnings FROM version')).toEqual([
      { warnings: '[{"code":"page_file_missing","name":"x.png"}]' },
    ])
    await expectSameAsLog(opened)
  })
})

describe('what another process appended in the meantime', () => {
  it('is in the index before anything is decided or written', async () => {
    const opened = await openLibrary()
    const elsewhere = await openAgain(opened.folder)
    storeVersion(elsewhere.index, aVersion('theirs'))
    const theirs = elsewhere.index.commit.mark()
    const seen: unknown[] = []
    await opened.index.commit.soon(() => {
      seen.push(opened.index.commit.mark(), versionsOf(opened))
      return [aStored('ours')]
    })
    expect(seen).toEqual([theirs, ['theirs']])
    expect(versionsOf(elsewhere)).toEqual(['ours', 'theirs'])
  })

  it('is applied from the log after a kill before the update of the index', async () => {
    const opened = await openLibrary()
    storeVersion(opened.index, aVersion('theirs'))
    const end = opened.index.commit.mark()
    const appended = opened.library.log.append(end, [aStored('appended')])
    expect(opened.index.commit.isBehind()).toBe(true)
    expect(versionsOf(opened)).toEqual(['theirs'])
    const seen: unknown[] = []
    opened.index.commit.now(() => {
      seen.push(opened.index.commit.mark(), versionsOf(opened))
      return [aStored('ours')]
    })
    expect(seen).toEqual([appended, ['appended', 'theirs']])
    expect(opened.index.commit.mark().position).toBe(appended.position + 1)
    expect(opened.index.commit.isBehind()).toBe(false)
    expect(versionsOf(opened)).toEqual(['appended', 'ours', 'theirs'])
    await expectSameAsLog(opened)
  })

  it('is applied when the log is read, also without a change to write', async () => {
    const opened = await openLibrary()
    const appended = opened.library.log.append(opened.index.commit.mark(), [aStored('appended')])
    opened.index.commit.follow()
    expect(opened.index.commit.mark()).toEqual(appended)
    expect(versionsOf(opened)).toEqual(['appended'])
    expect(opened.index.callbacks.list({ site: 'acme', outcome: 'stored', limit: 9 })).toMatchObject([
      { versionId: 'appended' },
    ])
  })

  it('refuses everything if it is no longer the log of this index', async () => {
    const opened = await openLibrary()
    const end = opened.index.commit.mark()
    storeVersion(opened.index, aVersion('v1'))
    // An older log was restored and extended.
    opened.library.log.append(end, [aStored('other')])
    expect(() => storeVersion(opened.index, aVersion('v2'))).toThrow(LogMismatchError)
    await expect(opened.index.commit.soon(() => [aStored('v3')])).rejects.toThrow(LogMismatchError)
    expect(versionsOf(opened)).toEqual(['v1'])
  })
})
