import type { Answer, Task, TaskKind, TaskResults } from '@galley/library/records'
import { isStepwise, taskName } from '@galley/library/records'
import type { TaskId, TaskProgress } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Bridge } from '../../ipc/calls.ts'
import { catchUnexpected } from './answers.ts'

/** A running task, and how to cancel it. */
export interface RunningTask<Kind extends TaskKind> {
  readonly ended: Promise<Answer<TaskResults[Kind]>>
  cancel(): void
  /** Hands the task over to the task list, which then reports its result. */
  leave(): void
}

/** Starts and follows a task. When it ends, removes it from the task list: its owner shows the result. */
export function followTask<Kind extends TaskKind>(
  bridge: Bridge,
  start: Promise<Answer<{ readonly task: TaskId }>>,
  onProgress: (progress: TaskProgress) => void = () => undefined,
): RunningTask<Kind> {
  let taskId: TaskId | null = null
  let isCancelled = false
  let isLeft = false
  const cancel = (): void => {
    isCancelled = true
    if (taskId !== null) void bridge.call('cancelTask', { id: taskId })
  }

  async function follow(): Promise<Answer<TaskResults[Kind]>> {
    const started = await catchUnexpected(start)
    if (!started.ok) return started
    const id = started.value.task
    taskId = id
    if (isCancelled) cancel()
    let stop = (): void => undefined
    const ended = new Promise<Task>((resolve) => {
      const onTask = (task: Task): void => {
        if (task.id !== id) return
        if (task.end.kind !== 'running') resolve(task)
        else if (task.progress !== null) onProgress(task.progress)
      }
      stop = bridge.on('taskChanged', onTask)
      // A short task may end before its id arrives here. Without an answer, its end is still pushed.
      const listed = bridge.call('listTasks', undefined).catch(() => [])
      void listed.then((tasks) => tasks.forEach(onTask))
    })
    const task = await ended
    stop()
    const { end } = task
    if (end.kind === 'failed') return fail(end.problem)
    if (end.kind !== 'done') return fail(isStepwise(taskName(task)) ? cancelledMidway : cancelled)
    if (!isLeft) void bridge.call('dismissTask', { id })
    // The result type follows from the task kind.
    return ok(end.result as TaskResults[Kind])
  }
  return { ended: follow(), cancel, leave: () => void (isLeft = true) }
}

const cancelled = { code: 'cancelled' } as const
const cancelledMidway = { ...cancelled, state: 'midway' } as const

/** The answer of a call that opens a system dialog first; null: the dialog was cancelled. */
export type StartedTask = { readonly task: TaskId } | null

/** Maps a cancelled system dialog to the problem `cancelled`. */
export async function orCancelled(started: Promise<Answer<StartedTask>>): Promise<Answer<{ readonly task: TaskId }>> {
  const answer = await catchUnexpected(started)
  if (!answer.ok) return answer
  return answer.value === null ? fail(cancelled) : ok(answer.value)
}
