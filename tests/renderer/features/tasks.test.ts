import { expect, it } from 'vitest'

import { taskName } from '../../../packages/library/views/tasks.ts'
import type { Task } from '../../../packages/library/views/tasks.ts'
import { announceEnd, isSeen } from '../../../src/renderer/features/tasks/announce-end.ts'
import { cancelledText, isDone, progressText, resultText } from '../../../src/renderer/features/tasks/result-text.ts'
import { createTasks } from '../../../src/renderer/features/tasks/store.ts'
import { formatsIn } from '../../../src/renderer/i18n/formats.ts'
import { createToasts } from '../../../src/renderer/ui/toasts.tsx'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'

const aTask = (id: string, end: Task['end']): Task =>
  ({ id, kind: 'collect', facts: {}, startedAt: '', endedAt: null, progress: null, end }) as Task
const running = { kind: 'running', isCancelling: false } as const
const failed = { kind: 'failed', problem: { code: 'unexpected' } } as const
const done = { kind: 'done', result: { isDryRun: false, files: 3, bytes: 2_100_000 } } as Task['end']

it('a new task comes first, updates in place, and reports its end once', () => {
  const fake = createFakeBridge(0)
  const ended: string[] = []
  const tasks = createTasks(fake.bridge, ({ id }) => ended.push(id))
  fake.push('taskChanged', aTask('one', running))
  fake.push('taskChanged', aTask('two', running))
  fake.push('taskChanged', aTask('one', done))
  fake.push('taskChanged', aTask('one', done))
  expect(tasks.getState().tasks.map(({ id, end }) => [id, end.kind])).toEqual([
    ['two', 'running'],
    ['one', 'done'],
  ])
  expect(ended).toEqual(['one'])
})

it('clearing keeps running tasks', () => {
  const fake = createFakeBridge(0)
  const tasks = createTasks(fake.bridge, () => {})
  fake.push('taskChanged', aTask('one', done))
  fake.push('taskChanged', aTask('two', running))
  tasks.getState().clear()
  expect(tasks.getState().tasks.map(({ id }) => id)).toEqual(['two'])
  expect(fake.called).toEqual(['dismissTask'])
})

it('progress and results use the number format of the language', () => {
  const t = createTexts('en').getFixedT('en', 'tasks')
  const told = (progress: Parameters<typeof progressText>[0]) => progressText(progress, t, formatsIn('en'))
  expect(told({ step: 'writing', done: 1200, total: 3400, unit: 'files' })).toBe('Writing · 1,200 of 3,400 files')
  expect(told({ step: 'copying', done: 1_500_000, total: null, unit: 'bytes' })).toBe('Copying · 1.5 MB')
  expect(told({ step: 'deleting', done: 0, total: null, unit: 'files' })).toBe('Deleting')
  const task = aTask('one', done)
  expect(isDone(task) && resultText(task, t, formatsIn('en'))).toBe('3 unused files deleted, 2.1 MB')
  const russian = createTexts('ru').getFixedT('ru', 'tasks')
  expect(isDone(task) && resultText(task, russian, formatsIn('ru'))).toBe('Удалены 3 неиспользуемых файла, 2,1 МБ')
})

it.each([
  ['libraryCheck', { isRepair: false }, 'Library check', 'Cancelled. The library is unchanged.'],
  ['libraryCheck', { isRepair: true }, 'Library repair', /Completed repairs were kept/],
  ['collect', { isDryRun: true }, 'Find unused files', 'Cancelled. The library is unchanged.'],
  ['collect', { isDryRun: false }, 'Delete unused files', /already deleted stay deleted/],
  ['prune', { isDryRun: true }, 'Find old versions', 'Cancelled. The library is unchanged.'],
  ['prune', { isDryRun: false }, 'Delete old versions', /already deleted stay deleted/],
  ['replay', { isDryRun: true }, 'Dry-run callbacks', 'Cancelled. The library is unchanged.'],
  ['replay', { isDryRun: false }, 'Replay callbacks', /already replayed were kept/],
  ['export', {}, 'Export', 'Cancelled. The library is unchanged.'],
] as const)(
  'a cancelled %s with %o is called by what it did, and tells what it leaves behind',
  (kind, facts, name, told) => {
    const t = createTexts('en').getFixedT('en', 'tasks')
    const task = { ...aTask('one', { kind: 'cancelled' }), kind, facts } as Task
    expect(t(`names.${taskName(task)}`)).toBe(name)
    expect(cancelledText(task, t)).toMatch(told)
  },
)

it('a dry run reports that nothing was changed', () => {
  const t = createTexts('en').getFixedT('en', 'tasks')
  const result = { isDryRun: true, files: 3, versions: 3, bytes: 2_100_000 }
  const told = (kind: Task['kind'], end: unknown) => {
    const task = {
      ...aTask('one', { kind: 'done', result: end } as Task['end']),
      kind,
      facts: { isDryRun: true },
    } as Task
    return isDone(task) && resultText(task, t, formatsIn('en'))
  }
  expect(told('collect', result)).toBe('3 unused files found, 2.1 MB')
  expect(told('prune', result)).toBe('3 versions can be deleted, 2.1 MB')
  expect(told('replay', [1])).toBe('1 callback tested, nothing stored')
})

it.each([
  [false, '2 problems found. See Delivery.'],
  [true, '1 problem remains. See Delivery.'],
])('what a check finds need not be a file; a repair (%s) tells what is left', (isRepair, told) => {
  const t = createTexts('en').getFixedT('en', 'tasks')
  const findings = [
    { kind: 'search_index', fixed: isRepair },
    { kind: 'index_differs', fixed: false },
  ]
  const end = { kind: 'done', result: { ok: false, files: 3, findings } }
  const task = { ...aTask('one', end as never), kind: 'libraryCheck', facts: { isRepair } } as Task
  expect(isDone(task) && resultText(task, t, formatsIn('en'))).toBe(told)
})

it.each([
  ['backup', 400, 'delivery', true],
  ['backup', 400, 'materials', false],
  ['backup', 1_200, 'delivery', false],
  ['exportPlan', 400, 'materials', true],
  ['prune', 400, 'settings', true],
  ['republish', 400, 'settings', false],
] as const)('a %s of %i ms is seen by who looks at %s: %s', (kind, lastedMs, screen, seen) => {
  const ended = { startedAt: new Date(0).toISOString(), endedAt: new Date(lastedMs).toISOString() }
  expect(isSeen({ ...aTask('one', done), ...ended, kind } as Task, screen)).toBe(seen)
})

it.each([
  ['automatic', done, null],
  ['automatic', failed, 'failed'],
  ['by hand', done, 'finished'],
  ['by hand', failed, 'failed'],
  ['by hand', { kind: 'cancelled' }, null],
] as const)('a backup (%s) that ended with %o is announced as %s', (how, end, announced) => {
  const toasts = createToasts()
  const said: unknown[] = []
  toasts[' subscribe'](({ options }) => said.push(options['title']))
  const task = { ...aTask('one', end), kind: 'backup', facts: { isAutomatic: how === 'automatic' } } as Task
  const lasted = { startedAt: new Date(0).toISOString(), endedAt: new Date(60_000).toISOString() }
  const texts = createTexts('en')
  announceEnd({ ...task, ...lasted }, 'materials', texts, toasts, () => undefined)
  const t = texts.getFixedT('en', 'tasks')
  const name = t(how === 'automatic' ? 'names.automaticBackup' : 'names.backup')
  expect(said).toEqual(announced === null ? [] : [t(announced, { task: name })])
})
