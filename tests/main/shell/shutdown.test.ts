import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { expect, test, vi } from 'vitest'

import { createShutdown } from '../../../src/main/shell/shutdown.ts'

/** An app whose windows close at once when it quits. */
function aShutdown() {
  const app = new EventEmitter()
  const signals = new EventEmitter()
  const happened: string[] = []
  const quit = (): void => {
    let isHeld = false
    app.emit('before-quit', { preventDefault: () => (isHeld = true) })
    if (!isHeld) app.emit('will-quit', { preventDefault: () => undefined })
  }
  const shutdown = createShutdown({
    app: Object.assign(app, {
      quit,
      exit: () => void happened.push('exit'),
      relaunch: () => void happened.push('relaunch'),
    }) as unknown as App,
    signals: signals as NodeJS.Process,
    log: (line) => void happened.push(line),
  })
  return { app, signals, shutdown, quit, happened }
}

test('the library is closed once, after everything else has stopped, and then the process exits', async () => {
  const { app, signals, shutdown, quit, happened } = aShutdown()
  const closed = Promise.withResolvers<void>()
  shutdown.stopFirst(() => void happened.push('stop'))
  shutdown.closeLast(() => {
    happened.push('close')
    return closed.promise
  })
  app.emit('second-instance')
  expect(shutdown.hasBegun()).toBe(false)
  quit()
  expect(shutdown.hasBegun()).toBe(true)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) signals.emit(signal)
  app.emit('second-instance')
  expect(happened).toEqual(['stop', 'close', 'relaunch'])
  closed.resolve()
  await expect.poll(() => happened).toEqual(['stop', 'close', 'relaunch', 'exit'])
})

test('a library that cannot be closed does not delay the exit', async () => {
  vi.useFakeTimers()
  const hanging = aShutdown()
  hanging.shutdown.closeLast(() => new Promise(() => undefined))
  hanging.quit()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(hanging.happened).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(hanging.happened).toEqual(['exit'])
  vi.useRealTimers()

  const failing = aShutdown()
  failing.shutdown.closeLast(() => Promise.reject(new RangeError('/home/anna/library')))
  failing.quit()
  await expect.poll(() => failing.happened.at(-1)).toBe('exit')
  expect(failing.happened[0]).toMatch(/^the library was not closed: RangeError/)
  expect(failing.happened.join()).not.toContain('anna')
})

test('quitting asks once if necessary, and continues or not depending on the answer', async () => {
  const { shutdown, quit, happened } = aShutdown()
  let answer = Promise.withResolvers<boolean>()
  shutdown.stopFirst(() => void happened.push('stop'))
  shutdown.askFirst(() => () => {
    happened.push('ask')
    return answer.promise
  })
  expect(shutdown.wouldAsk()).toBe(true)
  quit()
  quit()
  const isMeant = shutdown.confirm()
  expect(happened, 'one dialog for all').toEqual(['ask'])
  answer.resolve(false)
  expect(await isMeant).toBe(false)
  expect(shutdown.hasBegun()).toBe(false)

  answer = Promise.withResolvers()
  quit()
  answer.resolve(true)
  await expect.poll(() => happened).toEqual(['ask', 'ask', 'stop', 'exit'])

  const idle = aShutdown()
  idle.shutdown.askFirst(() => null)
  expect(await idle.shutdown.confirm()).toBe(true)
  idle.quit()
  await expect.poll(() => idle.happened).toEqual(['exit'])
})

test('signals quit without a question, even while one is shown', async () => {
  const { signals, shutdown, quit, happened } = aShutdown()
  shutdown.askFirst(() => () => {
    happened.push('ask')
    return new Promise(() => undefined)
  })
  quit()
  signals.emit('SIGTERM')
  await expect.poll(() => happened).toEqual(['ask', 'exit'])
})
