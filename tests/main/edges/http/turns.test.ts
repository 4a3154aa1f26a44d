import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { createTurns } from '../../../../src/main/edges/http/turns.ts'
import { callbackHead, rawConnection } from '../../../support/attacks/raw-connections.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'

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

/** The addresses in the order in which their requests begin, each with its turn. */
function house(waitingBytes = Infinity) {
  const turn = createTurns({ perTurn: 4, waitingBytes })
  const turns = countTurns()
  const begun: { address: string; at: number }[] = []
  const ask = async (address: string, bodyBytes?: number): Promise<void> => {
    await turn(address, bodyBytes)
    begun.push({ address, at: turns() })
  }
  return { begun, ask }
}

test('so many requests begin at once, and so many in each further turn', async () => {
  const { begun, ask } = house()
  await Promise.all(Array.from({ length: 11 }, (_, at) => ask(`client ${at}`)))
  const first = begun[0]?.at ?? 0
  expect(begun.map(({ at }) => at - first)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
  await nextTurn()
  // After a pause, a request does not wait.
  await Promise.all([ask('later'), nextTurn()])
  expect(begun).toHaveLength(12)
})

test('addresses take turns, whatever each has sent before', async () => {
  const { begun, ask } = house()
  const many = Array.from({ length: 20 }, () => ask('many'))
  await Promise.all([...many, ask('one'), ask('two'), ask('two')])
  expect(begun.slice(4, 12).map(({ address }) => address)).toEqual([
    ...['many', 'one', 'two', 'many'],
    ...['two', 'many', 'many', 'many'],
  ])
})

test('requests do not wait when those that wait already hold all the memory', async () => {
  const { begun, ask } = house(64 * 1024)
  const all = [...Array.from({ length: 5 }, () => ask('small', 20 * 1024)), ask('large', 50 * 1024), ask('small')]
  await Promise.resolve()
  await Promise.resolve()
  expect(begun.map(({ address }) => address)).toEqual(['small', 'small', 'small', 'small', 'large'])
  await Promise.all(all)
  // The memory is released.
  await Promise.all(Array.from({ length: 5 }, () => ask('next', 50 * 1024)))
  expect((begun.at(-1)?.at ?? 0) - (begun.at(-2)?.at ?? 0)).toBe(1)
})

test('a save under a flood from 300 connections waits for a part of the forged callbacks that would be read with each of its steps', async () => {
  const { listener, service, know, post } = await createTestGalley()
  await know('post-1')
  const save = aSave(service)
  const forged = `${callbackHead(save.body.length).replace('Connection: close\r\n', '')}${save.body}`
  const clients = Array.from({ length: 300 }, (_, at) => rawConnection(listener, `127.0.1.${(at % 250) + 1}`))
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
}, 60_000)
