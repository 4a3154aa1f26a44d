import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { databaseFiles } from '../../../packages/library/db/database/open.ts'
import { indexWork } from '../../../packages/library/db/index-work.ts'
import type { SaveThread } from '../../../packages/library/db/save/large-saves.ts'
import { WriterEndedError } from '../../../packages/library/log/writer-ended.ts'
import { createBackground } from '../../../packages/platform/threads/background.ts'
import type { BackgroundJobs } from '../../../src/main/thread/jobs.ts'
import { builtThreads } from '../../support/built-threads.ts'
import { aStored, entriesOf, expectSameAsLog, versionsOf } from './committed.ts'
import { aDelivery, anArrival, aVersion, blobsOf, openLibrary, sha } from './sample.ts'

type Write = SaveThread['write']

/** A library whose large saves are written in a thread. `around` sees each of them on its way there. */
async function library(around: (write: Write) => Write = (write) => write) {
  const background = createBackground<BackgroundJobs>(builtThreads.background)
  onTestFinished(() => background.close())
  const written: string[] = []
  const write: Write = async (save, turn) => {
    const result = background.run('writeSave', save, { answer: turn })
    const kind = await result.then(
      (settled) => settled.kind,
      () => 'ended',
    )
    written.push(kind)
    return result
  }
  const opened = await openLibrary({
    ...indexWork,
    saves: { write: around(write), writeBack: (files) => background.run('writeIndexBack', files) },
  })
  return { ...opened, background, written }
}

const media = Array.from({ length: 1_100 }, (_, at) => ({
  name: `${at}.${at % 100 === 0 ? 'css' : 'png'}`,
  sha256: sha(`${at}`),
  sizeBytes: at,
}))

function aLargeSave(versionId: string, parts: Parameters<typeof aVersion>[1] = {}, arrival = anArrival()) {
  const { text, ...version } = aVersion(versionId, { media, text: 'new words', ...parts })
  return { blobs: blobsOf(version), content: { version, text }, delivery: () => aDelivery(arrival) }
}

describe('a large save', () => {
  it('is written in another thread, and the log makes the same rows', async () => {
    const opened = await library()
    const { index, written } = opened
    const arrival = anArrival()
    index.callbacks.begin(arrival)
    expect(await index.storeSave(aLargeSave('large', {}, arrival))).toBe(true)
    expect(written).toEqual(['written'])
    expect(index.versions.media('acme', 'post-1', 'large')).toHaveLength(media.length)
    expect(index.callbacks.find(arrival.id)).toMatchObject({ outcome: 'stored', versionId: 'large' })
    expect(index.commit.isAhead()).toBe(false)
    await expectSameAsLog(opened)
  })

  it('is one with many references', async () => {
    const { index, written } = await library()
    const references = media.map(({ sha256, name }) => ({ hashStart: sha256.slice(0, 32), name }))
    await index.storeSave(aLargeSave('small', { media: [] }))
    expect(written).toEqual([])
    await index.storeSave(aLargeSave('referring', { media: [], references }))
    expect(written).toEqual(['written'])
  })

  it('waits for no other save while it is prepared, and lets others wait only while it is written', async () => {
    const prepared = Promise.withResolvers<void>()
    const mayAsk = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const mayWrite = Promise.withResolvers<void>()
    const opened = await library(
      (write) => async (save, turn) =>
        write(save, async () => {
          prepared.resolve()
          await mayAsk.promise
          const delivery = await turn()
          asked.resolve()
          await mayWrite.promise
          return delivery
        }),
    )
    const { index } = opened
    const large = index.storeSave(aLargeSave('large', { materialId: 'post-2' }))
    await prepared.promise
    await index.commit.soon(() => [aStored('while it is prepared')])
    mayAsk.resolve()
    await asked.promise
    const late = index.commit.soon(() => [aStored('while it is written')])
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    expect(versionsOf(opened)).toEqual(['while it is prepared'])
    mayWrite.resolve()
    await Promise.all([large, late])
    expect(versionsOf(opened)).toEqual(['while it is prepared', 'while it is written'])
    await expectSameAsLog(opened)
  })

  it('does not keep callbacks from being listed', async () => {
    const opened = await library(
      (write) => (save, turn) =>
        write(save, async () => {
          const delivery = await turn()
          local.exec('BEGIN IMMEDIATE')
          return delivery
        }),
    )
    const { index, folder } = opened
    const local = new BetterSqlite3(databaseFiles(folder).local)
    onTestFinished(() => void local.close())
    const entries = entriesOf(opened).length
    const large = index.storeSave(aLargeSave('large'))
    // By then, it has written its rows. It waits for the list.
    await vi.waitFor(() => expect(entriesOf(opened)).toHaveLength(entries + 1), 60_000)
    local.exec('COMMIT')
    await large
    expect(versionsOf(opened)).toEqual(['large'])
  })

  it.each([
    [
      'a medium that was not stored',
      { blobs: blobsOf(aVersion('bad')) },
      'FOREIGN KEY',
      'SQLITE_CONSTRAINT_FOREIGNKEY',
    ],
    [
      'one name twice',
      aLargeSave('bad', { media: [...media, ...media.slice(0, 1)] }),
      'UNIQUE',
      'SQLITE_CONSTRAINT_PRIMARYKEY',
    ],
    [
      'a size that is no whole number',
      {
        blobs: [...blobsOf(aVersion('bad', { media })), { sha256: sha('half'), sizeBytes: 0.5, pack: null }],
      },
      'blobs.1103.sizeBytes is too long, or not a value that the library stores',
      undefined,
    ],
  ] as const)('that fails stores nothing: %s', async (_what, parts, message, code) => {
    const opened = await library()
    const { index } = opened
    const entries = entriesOf(opened).length
    const references = media.map(({ sha256, name }) => ({ hashStart: sha256.slice(0, 32), name }))
    const bad = { ...aLargeSave('bad', { references }), ...parts }
    const failure = await index.storeSave(bad).then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ message: expect.stringContaining(message) as unknown, ...(code && { code }) })
    expect([entriesOf(opened).length, versionsOf(opened)]).toEqual([entries, []])
    await index.storeSave(aLargeSave('good'))
    expect(versionsOf(opened)).toEqual(['good'])
    await expectSameAsLog(opened)
  })

  it('whose callback cannot be told stores nothing', async () => {
    const opened = await library()
    const delivery = () => {
      throw new Error('a bug in the telling')
    }
    await expect(opened.index.storeSave({ ...aLargeSave('bad'), delivery })).rejects.toThrow('a bug in the telling')
    await opened.index.storeSave(aLargeSave('good'))
    expect(versionsOf(opened)).toEqual(['good'])
    expect(opened.written).toEqual(['ended', 'written'])
  })

  it('is refused during an import, and the next one is stored', async () => {
    const opened = await library()
    const release = opened.library.lock.take()
    await expect(opened.index.storeSave(aLargeSave('bad'))).rejects.toThrow('being imported')
    release()
    await opened.index.storeSave(aLargeSave('good'))
    expect(versionsOf(opened)).toEqual(['good'])
  })

  it('whose thread ended is found in the log by the repeated delivery', async () => {
    const opened = await library((write) => async (save, turn) => {
      await write(save, turn)
      throw new Error('the thread ended')
    })
    const { index } = opened
    const arrival = anArrival()
    await expect(index.storeSave(aLargeSave('large', {}, arrival))).rejects.toThrow(WriterEndedError)
    expect(index.commit.isAhead()).toBe(true)
    const { site, materialId, contentUrl } = arrival
    expect(index.callbacks.storedDelivery(site, 'article_saved', materialId ?? '', contentUrl ?? '')).toMatchObject({
      versionId: 'large',
    })
  })
})
