import { expect, test } from 'vitest'

import { createTasks } from '../../../packages/library/tasks/tasks.ts'
import type { Task } from '../../../packages/library/views/tasks.ts'
import { fail, ok } from '../../../packages/wire/result.ts'

function setUp() {
  const faults: unknown[] = []
  const told: Task[] = []
  const tasks = createTasks(
    () => new Date('2026-11-21T10:00:00Z'),
    (kind, error) => void faults.push([kind, error]),
  )
  tasks.onChange((task) => void told.push(task))
  return { tasks, told, faults }
}

const report = { isDryRun: true, blobs: 0, files: 0, bytes: 0, setAside: { files: 0, bytes: 0 } }

test('a task reports its progress and its result', async () => {
  const { tasks, told } = setUp()
  const id = tasks.start('collect', { site: 'acme' }, async ({ progress }) => {
    progress({ step: 'deleting', done: 1, total: 2, unit: 'files' })
    // Too soon after the previous report for another one.
    progress({ step: 'deleting', done: 1, total: 2, unit: 'files' })
    progress({ step: 'deleting', done: 2, total: 2, unit: 'files' })
    return ok(report)
  })
  await tasks.ended(id)
  expect(told.map(({ end, progress }) => [end.kind, progress?.done ?? null])).toEqual([
    ['running', null],
    ['running', 1],
    ['running', 2],
    ['done', 2],
  ])
  expect(tasks.list()).toMatchObject([{ id, facts: { site: 'acme' }, end: { kind: 'done', result: report } }])
  tasks.dismiss(id)
  expect(tasks.list()).toEqual([])
})

test('a failure keeps its problem; the message of a fault goes only to the log', async () => {
  const { tasks, faults } = setUp()
  const failed = tasks.start('collect', {}, async () => fail({ code: 'busy', message: 'Later.' }))
  const broken = tasks.start('collect', {}, () => Promise.reject(new Error('secret detail')))
  await Promise.all([tasks.ended(failed), tasks.ended(broken)])
  expect(tasks.find(failed)?.end).toMatchObject({ kind: 'failed', problem: { code: 'busy' } })
  expect(tasks.find(broken)?.end).toMatchObject({ kind: 'failed', problem: { code: 'unexpected' } })
  expect(JSON.stringify(tasks.list())).not.toContain('secret detail')
  expect(faults).toHaveLength(1)
})

test('a fault in the middle of incremental work does not claim that nothing was changed', async () => {
  const { tasks } = setUp()
  const problemOf = async (isDryRun: boolean) => {
    const id = tasks.start('prune', { site: null, isDryRun }, () => Promise.reject(new Error('broken')))
    await tasks.ended(id)
    const end = tasks.find(id)?.end
    return end?.kind === 'failed' ? end.problem.state : end
  }
  expect([await problemOf(true), await problemOf(false)]).toEqual([undefined, 'midway'])
})

test('a cancelled task reports that it is being cancelled, then that it was', async () => {
  const { tasks, told } = setUp()
  const work = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  const id = tasks.start('collect', {}, work)
  tasks.dismiss(id)
  expect(tasks.find(id)).not.toBe(null)
  tasks.cancel(id)
  await tasks.ended(id)
  expect(told.map(({ end }) => end)).toEqual([
    { kind: 'running', isCancelling: false },
    { kind: 'running', isCancelling: true },
    { kind: 'cancelled' },
  ])
  const second = tasks.start('collect', {}, work)
  await tasks.close()
  expect(tasks.find(second)?.end).toEqual({ kind: 'cancelled' })
})
