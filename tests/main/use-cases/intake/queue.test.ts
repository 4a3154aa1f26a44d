import { describe, expect, it } from 'vitest'

import { createQueue } from '../../../../src/main/use-cases/intake/queue.ts'

/** Jobs that end when the test releases them; `started` is the order in which they started. */
function jobs(limits: { maxRunning: number; maxWaiting: number }) {
  const queue = createQueue(limits)
  const started: string[] = []
  const end = new Map<string, (error?: Error) => void>()
  const add = (key: string, name: string): Promise<string> | null =>
    queue.run(key, () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => {
        end.set(name, (error) => (error ? reject(error) : resolve(name)))
      })
    })
  const finish = async (name: string) => {
    end.get(name)?.()
    // A waiting job starts in the microtasks after the previous one.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, started, add, finish, end }
}

describe('the queue of saves', () => {
  it('runs jobs of one key one after another, in order of arrival', async () => {
    const { started, add, finish } = jobs({ maxRunning: 2, maxWaiting: 10 })
    const answers = ['1', '2', '3'].map((name) => add('a', name) ?? Promise.reject(new Error('The queue is full')))
    expect(started).toEqual(['1'])
    await finish('1')
    expect(started).toEqual(['1', '2'])
    await finish('2')
    await finish('3')
    expect(await Promise.all(answers)).toEqual(['1', '2', '3'])
  })

  it('runs jobs of different keys concurrently up to the limit, and lets none wait for a busy key', async () => {
    const { started, add, finish } = jobs({ maxRunning: 2, maxWaiting: 10 })
    for (const [key, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
      ['c', 'c1'],
      ['b', 'b2'],
    ] as const)
      void add(key, name)
    expect(started).toEqual(['a1', 'b1'])
    await finish('b1')
    // a2 arrived first, but its key is busy.
    expect(started).toEqual(['a1', 'b1', 'c1'])
    await finish('a1')
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2'])
    await finish('c1')
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2'])
    for (const name of ['a2', 'b2']) await finish(name)
  })

  it('refuses jobs beyond its capacity, and accepts more when there is room', async () => {
    const { started, add, finish } = jobs({ maxRunning: 1, maxWaiting: 2 })
    const accepted = ['1', '2', '3'].map((name) => add(name, name))
    expect(add('4', '4')).toBe(null)
    expect(add('1', '5')).toBe(null)
    await finish('1')
    const later = add('6', '6')
    expect(later).not.toBe(null)
    for (const name of ['2', '3', '6']) await finish(name)
    expect(started).toEqual(['1', '2', '3', '6'])
    expect(await Promise.all([...accepted, later])).toEqual(['1', '2', '3', '6'])
  })

  it('continues after a failed job', async () => {
    const { add, finish, end } = jobs({ maxRunning: 1, maxWaiting: 5 })
    const failed = add('a', '1')
    const next = add('a', '2')
    end.get('1')?.(new Error('broken'))
    await expect(failed).rejects.toThrow('broken')
    await finish('2')
    expect(await next).toBe('2')
  })

  it('is idle only if nothing runs or waits', async () => {
    const { queue, add, finish } = jobs({ maxRunning: 1, maxWaiting: 5 })
    await queue.idle()
    let isIdle = false
    void add('a', '1')
    void add('a', '2')
    const idle = queue.idle().then(() => (isIdle = true))
    await finish('1')
    expect(isIdle).toBe(false)
    await finish('2')
    await idle
    await queue.idle()
  })
})
