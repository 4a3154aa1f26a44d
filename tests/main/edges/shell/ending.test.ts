import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { expect, test, vi } from 'vitest'

import { createEnding } from '../../../../src/main/edges/shell/ending.ts'

/** An app whose windows close at once when it quits. */
function anEnding() {
  const app = new EventEmitter()
  const signals = new EventEmitter()
  const happened: string[] = []
  const quit = (): void => {
    let isHeld = false
    app.emit('before-quit', { preventDefault: () => (isHeld = true) })
    if (!isHeld) app.emit('will-quit', { preventDefault: () => undefined })
  }
  const ending = createEnding({
    app: Object.assign(app, {
      quit,
      exit: () => void happened.push('exit'),
      relaunch: () => void happened.push('relaunch'),
    }) as unknown as App,
    signals: signals as NodeJS.Process,
    log: (line) => void happened.push(line),
  })
  return { app, signals, ending, quit, happened }
}

test('the library is closed once, after everything else has stopped, and then the process exits', async () => {
  const { app, signals, ending, quit, happened } = anEnding()
  const closed = Promise.withResolvers<void>()
  ending.stopFirst(() => void happened.push('stop'))
  ending.closeLast(() => {
    happened.push('close')
    return closed.promise
  })
  app.emit('second-instance')
  expect(ending.hasBegun()).toBe(false)
  quit()
  expect(ending.hasBegun()).toBe(true)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) signals.emit(signal)
  app.emit('second-instance')
  expect(happened).toEqual(['stop', 'close', 'relaunch'])
  closed.resolve()
  await expect.poll(() => happened).toEqual(['stop', 'close', 'relaunch', 'exit'])
})

test('a library that cannot be closed does not delay the exit', async () => {
  vi.useFakeTimers()
  const hanging = anEnding()
  hanging.ending.closeLast(() => new Promise(() => undefined))
  hanging.quit()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(hanging.happened).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(hanging.happened).toEqual(['exit'])
  vi.useRealTimers()

  const failing = anEnding()
  failing.ending.closeLast(() => Promise.reject(new RangeError('/home/anna/library')))
  failing.quit()
  await expect.poll(() => failing.happened.at(-1)).toBe('exit')
  expect(failing.happened[0]).toMatch(/^the library was not closed: RangeError/)
  expect(failing.happened.join()).not.toContain('anna')
})

test('quitting asks once if necessary, and continues or not depending on the answer', async () => {
  const { ending, quit, happened } = anEnding()
  let answer = Promise.withResolvers<boolean>()
  ending.stopFirst(() => void happened.push('stop'))
  ending.askFirst(() => () => {
    happened.push('ask')
    return answer.promise
  })
  expect(ending.wouldAsk()).toBe(true)
  quit()
  quit()
  const isMeant = ending.agree()
  expect(happened, 'one dialog for all').toEqual(['ask'])
  answer.resolve(false)
  expect(await isMeant).toBe(false)
  expect(ending.hasBegun()).toBe(false)

  answer = Promise.withResolvers()
  quit()
  answer.resolve(true)
  await expect.poll(() => happened).toEqual(['ask', 'ask', 'stop', 'exit'])

  const idle = anEnding()
  idle.ending.askFirst(() => null)
  expect(await idle.ending.agree()).toBe(true)
  idle.quit()
  await expect.poll(() => idle.happened).toEqual(['exit'])
})

test('signals quit without a question, even while one is shown', async () => {
  const { signals, ending, quit, happened } = anEnding()
  ending.askFirst(() => () => {
    happened.push('ask')
    return new Promise(() => undefined)
  })
  quit()
  signals.emit('SIGTERM')
  await expect.poll(() => happened).toEqual(['ask', 'exit'])
})
