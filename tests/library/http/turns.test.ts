import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { createTurns } from '../../../packages/library/http/turns.ts'
import { callbackHead, rawConnection } from '../../support/attacks/raw-connections.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

/** Counts turns of the event loop from now on. */
function countTurns(): () => number {
  let turns = 0
  let isOver = false
  const next = (): void => {
    turns += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  onTestFinished(() => void (isOver = true))
  return () => turns
}

/** The connections in the order in which their requests begin, each with its turn. */
function setUp(waitingBytes = Infinity) {
  const turn = createTurns({ perTurn: 4, waitingBytes })
  const turns = countTurns()
  const connections = new Map<string, { destroyed: boolean }>()
  const begun: { name: string; at: number }[] = []
  const connection = (name: string) => {
    const known = connections.get(name) ?? { destroyed: false }
    connections.set(name, known)
    return known
  }
  const ask = async (name: string, bodyBytes?: number): Promise<void> => {
    await turn(connection(name), bodyBytes)
    begun.push({ name, at: turns() })
  }
  return { begun, ask, hangUp: (name: string) => void (connection(name).destroyed = true) }
}

const times = (count: number, ask: (at: number) => Promise<void>) => Array.from({ length: count }, (_, at) => ask(at))

test('so many requests begin at once, and so many in each further turn', async () => {
  const { begun, ask } = setUp()
  await Promise.all(times(11, (at) => ask(`client ${at}`)))
  const first = begun[0]?.at ?? 0
  expect(begun.map(({ at }) => at - first)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
  await nextTurn()
  // After a pause, a request does not wait.
  await Promise.all([ask('later'), nextTurn()])
  expect(begun).toHaveLength(12)
})

test('connections take turns, whatever each has sent before', async () => {
  const { begun, ask } = setUp()
  await Promise.all([...times(20, () => ask('many')), ...['a', 'b', 'c', 'one', 'two', 'two'].map((name) => ask(name))])
  const order = begun.map(({ name }) => name)
  expect(order.indexOf('one')).toBeLessThan(9)
  expect(order.lastIndexOf('two')).toBeLessThan(14)
  expect(order.slice(-12)).toEqual(Array.from({ length: 12 }, () => 'many'))
})

test('requests whose callers have hung up come last, but they come', async () => {
  const { begun, ask, hangUp } = setUp()
  const all = times(30, (at) => ask(`client ${at}`))
  for (let at = 0; at < 20; at++) hangUp(`client ${at}`)
  await Promise.all(all)
  const order = begun.map(({ name }) => Number(name.slice(7)))
  // The first four have begun before.
  expect(order.slice(4, 14)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29])
  expect(order.slice(14)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
})

test('requests do not wait when those that wait already hold all the memory', async () => {
  const { begun, ask } = setUp(130 * 1024)
  const all = [...times(5, (at) => ask(`small ${at}`, 20 * 1024)), ask('large', 50 * 1024), ask('last')]
  await Promise.resolve()
  await Promise.resolve()
  expect(begun.map(({ name }) => name)).toContain('large')
  await Promise.all(all)
  expect(begun.at(-1)?.name).toBe('last')
  // The memory is released.
  await Promise.all(times(5, (at) => ask(`next ${at}`, 20 * 1024)))
  expect((begun.at(-1)?.at ?? 0) - (begun.at(-5)?.at ?? 0)).toBe(1)
})

test('a save waits for a part of the forged callbacks that 300 connections of its address send', async () => {
  const { listener, service, know, post } = await createTestGalley()
  await know('post-1')
  const save = aSave(service)
  const forged = `${callbackHead(save.body.length).replace('Connection: close\r\n', '')}${save.body}`
  const clients = Array.from({ length: 300 }, () => rawConnection(listener))
  onTestFinished(() => {
    for (const { socket } of clients) socket.destroy()
  })
  let refused = 0
  for (const { socket } of clients) {
    // The last answer of a connection is its 100th; this ends before.
    socket.on('data', () => {
      refused += 1
      socket.write(forged)
    })
    socket.write(forged)
  }
  await expect.poll(() => refused).toBeGreaterThan(300)
  const before = refused
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  expect(refused - before).toBeLessThan(7_000)
})
