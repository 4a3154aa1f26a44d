import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { openIndex } from '../../../src/main/db/open.ts'
import { createWriteBack } from '../../../src/main/db/write-back.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

/** An index with a row that so far stands in the log alone. */
async function anIndex() {
  const file = join(await temporaryFolder(), 'index.db')
  const db = openIndex(file)
  onTestFinished(() => void db.close())
  db.pragma('wal_checkpoint(TRUNCATE)')
  const before = await stat(file)
  const put = () => db.exec(`INSERT INTO setting VALUES (hex(randomblob(8)), hex(zeroblob(20000)))`)
  const grown = async () => (await stat(file)).size > before.size
  put()
  return { db, grown }
}

describe('the log of the index', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('is written back a while after a commit, not within it', async () => {
    const { db, grown } = await anIndex()
    const writeBack = createWriteBack(db, () => undefined)
    writeBack.soon()
    writeBack.soon()
    expect(await grown()).toBe(false)
    expect(vi.getTimerCount()).toBe(1)
    vi.runAllTimers()
    expect(await grown()).toBe(true)
  })

  it('is left alone once the index is being closed', async () => {
    const { db, grown } = await anIndex()
    const writeBack = createWriteBack(db, () => undefined)
    writeBack.soon()
    writeBack.stop()
    vi.runAllTimers()
    expect(await grown()).toBe(false)
  })

  it('stays as it is when it cannot be written back, and says so', async () => {
    const { db } = await anIndex()
    const lines: string[] = []
    const writeBack = createWriteBack(db, (line) => void lines.push(line))
    writeBack.soon()
    db.close()
    vi.runAllTimers()
    expect(lines).toEqual([expect.stringMatching(/could not be written back/)])
  })
})
