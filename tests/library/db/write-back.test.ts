import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { openIndex } from '../../../packages/library/db/database/open.ts'
import { createWriteBack, writeIndexBack } from '../../../packages/library/db/save/write-back.ts'
import { emptyDatabases } from './sample.ts'

/** The databases of a library, each with a row that is only in its write-ahead log. */
async function databases() {
  const { files } = await emptyDatabases()
  const db = openIndex(files)
  onTestFinished(() => void db.close())
  db.pragma('wal_checkpoint(TRUNCATE)')
  const sizes = async () => [(await stat(files.index)).size, (await stat(files.local)).size]
  const before = await sizes()
  db.exec(`INSERT INTO main.blob VALUES (hex(randomblob(32)) || hex(zeroblob(20000)), 1, NULL, 0);
    INSERT INTO local.setting VALUES (hex(randomblob(8)), hex(zeroblob(20000)))`)
  const grown = async () => (await sizes()).map((size, at) => size > (before[at] ?? 0))
  return { db, files, grown }
}

describe("SQLite's write-ahead logs", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('are written back a while after a commit, not during it', async () => {
    const { db, grown } = await databases()
    const writeBack = createWriteBack(db, () => undefined, null)
    writeBack.soon(false)
    writeBack.soon(false)
    expect(await grown()).toEqual([false, false])
    expect(vi.getTimerCount()).toBe(1)
    vi.runAllTimers()
    expect(await grown()).toEqual([true, true])
  })

  it('are written back by another thread after a large save', async () => {
    const { db, files, grown } = await databases()
    let times = 0
    const writeBack = createWriteBack(
      db,
      () => undefined,
      () => Promise.resolve(((times += 1), writeIndexBack(files))),
    )
    writeBack.soon(true)
    writeBack.soon(false)
    vi.runAllTimers()
    expect([times, await grown()]).toEqual([1, [true, true]])
    writeBack.soon(false)
    vi.runAllTimers()
    expect(times).toBe(1)
  })

  it('stay if that thread ends, which is reported unless the index is being closed', async () => {
    const { db } = await databases()
    const lines: string[] = []
    const ends = () => Promise.reject(new Error('the thread ended'))
    const writeBack = createWriteBack(db, (line) => void lines.push(line), ends)
    for (const close of [() => undefined, writeBack.stop]) {
      writeBack.soon(true)
      vi.runAllTimers()
      close()
      await nextTurn()
      expect(lines).toEqual([expect.stringMatching(/could not be written back/)])
    }
  })

  it('are left alone once the index is being closed', async () => {
    const { db, grown } = await databases()
    const writeBack = createWriteBack(db, () => undefined, null)
    writeBack.soon(false)
    writeBack.stop()
    vi.runAllTimers()
    expect(await grown()).toEqual([false, false])
  })

  it('stay if they cannot be written back, which is reported', async () => {
    const { db } = await databases()
    const lines: string[] = []
    const writeBack = createWriteBack(db, (line) => void lines.push(line), null)
    writeBack.soon(false)
    db.close()
    vi.runAllTimers()
    expect(lines).toEqual([expect.stringMatching(/could not be written back/)])
  })
})
