import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createQueue } from '../../../packages/library/save/queue.ts'

/**
 * Jobs that end when the test releases them; `started` is the order in which they started. The first letter of a key is its
 * site.
 */
function jobs(limits: { maxRunning: number; maxWaiting: number; ownRunning?: number; ownWaiting?: number }) {
  const queue = createQueue({ ownRunning: 0, ownWaiting: 0, ...limits })
  const started: string[] = []
  const end = new Map<string, (error?: Error) => void>()
  const add = (key: string, name: string): Promise<string> | null =>
    queue.run(key.charAt(0), key, () => {
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
  it('tells a job whether it has waited: then the ledger is asked again', async () => {
    const queue = createQueue({ maxRunning: 1, maxWaiting: 2, ownRunning: 0, ownWaiting: 0 })
    const tell = (hasWaited: boolean) => Promise.resolve(hasWaited)
    expect(
      await Promise.all([queue.run('a', 'a', tell), queue.run('a', 'a', tell), queue.run('a', 'b', tell)]),
    ).toEqual([false, true, true])
    expect(await queue.run('a', 'a', tell)).toBe(false)
  })

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

  it('lets no site wait for another that takes all places', async () => {
    const { started, add, finish } = jobs({ maxRunning: 2, maxWaiting: 2, ownRunning: 1, ownWaiting: 1 })
    const hanging = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name, name))
    expect([started, hanging.includes(null), add('a5', 'a5')]).toEqual([['a1', 'a2'], false, null])
    for (const name of ['b1', 'b2', 'c1']) expect(add(name, name), name).not.toBe(null)
    expect([started, add('b3', 'b3')]).toEqual([['a1', 'a2', 'b1', 'c1'], null])
    await finish('b1')
    await finish('c1')
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2'])
  })

  it('gives a free place to the site with the fewest running jobs', async () => {
    const { started, add, finish } = jobs({ maxRunning: 3, maxWaiting: 9 })
    for (const name of ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'c2']) void add(name, name)
    await finish('a1')
    await finish('b1')
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2'])
  })

  it('runs a job beside the limits, and is not idle before it has ended', async () => {
    const { queue, add, finish } = jobs({ maxRunning: 1, maxWaiting: 0 })
    void add('a', '1')
    const beside = Promise.withResolvers<string>()
    const answer = queue.runNow(() => beside.promise)
    let isIdle = false
    const idle = queue.idle().then(() => (isIdle = true))
    await finish('1')
    expect(isIdle).toBe(false)
    beside.resolve('stored')
    expect(await answer).toBe('stored')
    await idle
  })

  it('never blocks a site by others, runs each key in order and one at a time, and everything that it accepted', async () => {
    const step = fc.record({ site: fc.constantFrom('a', 'b', 'c', 'd'), material: fc.nat(3), ends: fc.nat(9) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue, started, add, finish } = jobs({ maxRunning: 3, maxWaiting: 4, ownRunning: 1, ownWaiting: 2 })
        const accepted: { key: string; name: string }[] = []
        const ended = new Set<string>()
        const isRunning = ({ name }: { name: string }) => started.includes(name) && !ended.has(name)
        const isWaiting = ({ name }: { name: string }) => !started.includes(name)
        const end = async (name: string) => {
          ended.add(name)
          await finish(name)
        }
        const check = () => {
          const running = accepted.filter(isRunning)
          expect(new Set(running.map(({ key }) => key)).size).toBe(running.length)
          for (const { key } of accepted.filter(isWaiting)) {
            const own = running.filter((job) => job.key.startsWith(key.charAt(0)))
            // A site that waits has a running job, and more only wait for their material or for a common place.
            expect(own.length).toBeGreaterThan(0)
            expect(running.length >= 3 || running.some((job) => job.key === key)).toBe(true)
          }
          for (const key of new Set(accepted.map((job) => job.key))) {
            const names = accepted.filter((job) => job.key === key).map(({ name }) => name)
            const order = started.filter((name) => names.includes(name))
            expect(order).toEqual(names.slice(0, order.length))
          }
        }
        for (const [at, { site, material, ends }] of steps.entries()) {
          const [key, name] = [`${site}${material}`, String(at)]
          const own = accepted.filter((job) => isWaiting(job) && job.key.startsWith(site)).length
          if (add(key, name) === null) expect(own).toBeGreaterThanOrEqual(2)
          else accepted.push({ key, name })
          check()
          const first = accepted.find(isRunning)
          if (ends < 4 && first) await end(first.name)
          check()
        }
        for (let next = accepted.find(isRunning); next; next = accepted.find(isRunning)) await end(next.name)
        expect(started.length).toBe(accepted.length)
        await queue.idle()
      }),
      { seed: 20_261_128, numRuns: 100 },
    )
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
