import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { isAlive, withLock } from '../../scripts/runtime/lock.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('work under one lock never overlaps', async () => {
  const file = join(temporaryFolder(), 'the.lock')
  let inside = 0
  let most = 0
  const work = () =>
    withLock(file, async () => {
      most = Math.max(most, (inside += 1))
      // Time for the others to enter, if nothing prevented it.
      await nextTurn()
      inside -= 1
    })
  await Promise.all([work(), work(), work()])
  expect(most).toBe(1)
  expect(existsSync(file)).toBe(false)
})

test('the lock is released when the work fails', async () => {
  const file = join(temporaryFolder(), 'the.lock')
  const failing = withLock(file, () => Promise.reject(new Error('failed')))
  await expect(failing).rejects.toThrow('failed')
  expect(existsSync(file)).toBe(false)
})

test('the lock of a dead process is taken over', async () => {
  const file = join(temporaryFolder(), 'the.lock')
  const dead = spawnSync(process.execPath, ['--version']).pid
  writeFileSync(file, String(dead))
  await expect(withLock(file, async () => 'done')).resolves.toBe('done')
})

test('the lock of a living process is waited for', async () => {
  const file = join(temporaryFolder(), 'the.lock')
  const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' })
  onTestFinished(() => void holder.kill())
  writeFileSync(file, String(holder.pid))
  // A free lock is acquired before this call returns.
  const waiting = withLock(file, async () => isAlive(holder.pid ?? 0))
  holder.kill()
  expect(await waiting, 'the holder lived when the work began').toBe(false)
})
