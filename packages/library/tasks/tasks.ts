import { randomUUID } from 'node:crypto'
import type { TaskId, TaskProgress } from '@galley/wire'

import type { Answer, CallProblem, ProblemFacts } from '../views/problem.ts'
import type { Task, TaskKind, TaskResults } from '../views/tasks.ts'
import { isStepwise, taskName } from '../views/tasks.ts'

/** The interface of a running task to its work. */
export interface TaskContext {
  /** Aborts when the task is cancelled or the app ends. The work then stops at the next safe point. */
  readonly signal: AbortSignal
  readonly progress: (progress: TaskProgress) => void
}

export type TaskWork<Kind extends TaskKind> = (context: TaskContext) => Promise<Answer<TaskResults[Kind]>>

/** How many ended tasks to keep; the oldest are dropped. */
const endedTasksMax = 50
/** At most ten progress updates a second. */
const updateIntervalMs = 100

/** Runs work that takes longer than a second: it has a name, progress, a cancel signal and a stored result. */
export function createTasks(now: () => Date, onFault: (kind: TaskKind, error: unknown) => void) {
  const tasks = new Map<TaskId, Task>()
  const running = new Map<TaskId, { readonly abort: AbortController; readonly ended: Promise<void> }>()
  const listeners = new Set<(task: Task) => void>()

  const put = (task: Task): void => {
    tasks.set(task.id, task)
    for (const listener of listeners) listener(task)
  }
  const change = (id: TaskId, over: Partial<Task>): void => {
    const task = tasks.get(id)
    // The kind of a task never changes, so its members still match.
    if (task) put({ ...task, ...over } as Task)
  }

  async function run<Kind extends TaskKind>(id: TaskId, kind: Kind, work: TaskWork<Kind>, signal: AbortSignal) {
    let reportedMs = Number.NEGATIVE_INFINITY
    const progress = (next: TaskProgress): void => {
      const nowMs = performance.now()
      if (nowMs - reportedMs < updateIntervalMs && next.done !== next.total) return
      reportedMs = nowMs
      change(id, { progress: next })
    }
    const endedAt = () => now().toISOString()
    try {
      const answer = await work({ signal, progress })
      if (answer.ok) change(id, { endedAt: endedAt(), end: { kind: 'done', result: answer.value } } as Partial<Task>)
      else if (answer.failure.code === 'cancelled') change(id, { endedAt: endedAt(), end: { kind: 'cancelled' } })
      else change(id, { endedAt: endedAt(), end: { kind: 'failed', problem: answer.failure } })
    } catch (error) {
      if (signal.aborted) return change(id, { endedAt: endedAt(), end: { kind: 'cancelled' } })
      onFault(kind, error)
      change(id, { endedAt: endedAt(), end: { kind: 'failed', problem: faultProblem(tasks.get(id)) } })
    }
  }

  return {
    start<Kind extends TaskKind>(kind: Kind, facts: ProblemFacts, work: TaskWork<Kind>): TaskId {
      const id = randomUUID()
      const abort = new AbortController()
      put({
        id,
        kind,
        facts,
        startedAt: now().toISOString(),
        endedAt: null,
        progress: null,
        end: { kind: 'running', isCancelling: false },
      })
      const ended = run(id, kind, work, abort.signal).finally(() => {
        running.delete(id)
        const old = [...tasks.values()].filter(({ end }) => end.kind !== 'running').slice(0, -endedTasksMax)
        for (const task of old) tasks.delete(task.id)
      })
      running.set(id, { abort, ended })
      return id
    },
    /** Newest first. */
    list: (): readonly Task[] => [...tasks.values()].toReversed(),
    /** Whether any task is running. */
    isRunning: (): boolean => running.size > 0,
    find: (id: TaskId): Task | null => tasks.get(id) ?? null,
    /** Resolves when the task has ended, or at once if it is not running. */
    ended: (id: TaskId): Promise<void> => running.get(id)?.ended ?? Promise.resolve(),
    cancel(id: TaskId): void {
      const found = running.get(id)
      if (!found) return
      change(id, { end: { kind: 'running', isCancelling: true } })
      found.abort.abort()
    },
    dismiss(id: TaskId): void {
      if (!running.has(id)) tasks.delete(id)
    },
    onChange(listener: (task: Task) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Cancels running tasks and waits for their end. */
    async close(): Promise<void> {
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

export type Tasks = ReturnType<typeof createTasks>

/** The problem that a bug causes for a task. A step-by-step task has completed some of its steps. */
function faultProblem(task: Task | undefined): CallProblem {
  const isMidway = task !== undefined && isStepwise(taskName(task))
  return {
    code: 'unexpected',
    ...(isMidway && { state: 'midway' }),
  }
}
