import type { TaskId } from '../../contract/ids.ts'
import type { Bridge } from '../../contract/ipc/calls.ts'
import type { Answer } from '../../contract/ipc/problem.ts'
import { isBitByBit, taskName } from '../../contract/ipc/tasks.ts'
import type { Task, TaskKind, TaskProgress, TaskResults } from '../../contract/ipc/tasks.ts'
import { fail, ok } from '../../contract/result.ts'
import { orProblem } from './answers.ts'

/** Something that is under way in main, and how to give it up. */
export interface Underway<Kind extends TaskKind> {
  readonly ended: Promise<Answer<TaskResults[Kind]>>
  cancel(): void
  /** Leaves it to the list of tasks, which then tells what comes of it. */
  leave(): void
}

/** Starts a task, follows it, and takes it off the list of tasks when it is done: its owner shows what came of it. */
export function followTask<Kind extends TaskKind>(
  bridge: Bridge,
  start: Promise<Answer<{ readonly task: TaskId }>>,
  onProgress: (progress: TaskProgress) => void = () => undefined,
): Underway<Kind> {
  let wanted: TaskId | null = null
  let isGivenUp = false
  let isLeft = false
  const giveUp = (): void => {
    isGivenUp = true
    if (wanted !== null) void bridge.call('cancelTask', { id: wanted })
  }

  async function follow(): Promise<Answer<TaskResults[Kind]>> {
    const started = await orProblem(start)
    if (!started.ok) return started
    const id = started.value.task
    wanted = id
    if (isGivenUp) giveUp()
    const ended = new Promise<Task>((resolve) => {
      const hear = (task: Task): void => {
        if (task.id !== id) return
        if (task.end.kind !== 'running') resolve(task)
        else if (task.progress !== null) onProgress(task.progress)
      }
      const stop = bridge.on('taskChanged', (task) => {
        hear(task)
        if (task.id === id && task.end.kind !== 'running') stop()
      })
      // A short task may have ended before its id was here.
      void bridge.call('listTasks', undefined).then((tasks) => tasks.forEach(hear))
    })
    const task = await ended
    const { end } = task
    if (end.kind === 'failed') return fail(end.problem)
    if (end.kind !== 'done') return fail(isBitByBit(taskName(task)) ? cancelledMidway : cancelled)
    if (!isLeft) void bridge.call('dismissTask', { id })
    // A task of one kind ends with the result of that kind.
    return ok(end.result as TaskResults[Kind])
  }
  return { ended: follow(), cancel: giveUp, leave: () => void (isLeft = true) }
}

const cancelled = { code: 'cancelled' } as const
const cancelledMidway = { ...cancelled, facts: { state: 'midway' } } as const

/** What a call answers that asks a person in a dialog of the system first; null: nothing was chosen. */
export type StartedTask = { readonly task: TaskId } | null

/** Where nothing was chosen in a dialog of the system, nothing is wrong and nothing was started. */
export async function orCancelled(started: Promise<Answer<StartedTask>>): Promise<Answer<{ readonly task: TaskId }>> {
  const answer = await orProblem(started)
  if (!answer.ok) return answer
  return answer.value === null ? fail(cancelled) : ok(answer.value)
}
