import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { openWriterLock } from '../../../packages/library/db/commit/writer-lock.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

describe('the lock of the writers', () => {
  it('is one file, also while it is held', async () => {
    const folder = await temporaryFolder()
    const lock = openWriterLock(folder)
    for (let time = 0; time < 2; time += 1) expect(lock.hold(() => readdirSync(folder))).toEqual(['log.db'])
    lock.close()
  })

  it('is opened at once while another holds it, and taken afterwards', async () => {
    const folder = await temporaryFolder()
    const [lock, other] = [openWriterLock(folder), openWriterLock(folder)]
    lock.hold(() => {
      const late = openWriterLock(folder)
      expect(() => late.take()).toThrow('database is locked')
      late.close()
    })
    const release = other.take()
    expect(() => lock.take()).toThrow('database is locked')
    release()
    lock.take()()
    for (const each of [lock, other]) each.close()
  })
})
