import type { TaskProgress, TaskStep } from '../../../contract/ipc/tasks.ts'

/** Told at every safe moment of an export how far it is; throws when it is to end there. */
export type Watch = (step: TaskStep, done: number, total: number, unit: TaskProgress['unit']) => void

/** Nobody looks, nobody stops it. */
export const unwatched: Watch = () => undefined

export function watchFor(signal: AbortSignal, progress: (progress: TaskProgress) => void): Watch {
  return (step, done, total, unit) => {
    signal.throwIfAborted()
    progress({ step, done, total, unit })
  }
}
