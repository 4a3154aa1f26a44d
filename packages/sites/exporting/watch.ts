import type { TaskProgress, TaskStep } from '@galley/wire'

/** Called at every safe point of an export with its progress. Throws to cancel the export there. */
export type Watch = (step: TaskStep, done: number, total: number, unit: TaskProgress['unit']) => void

/** For exports without progress or cancelling. */
export const unwatched: Watch = () => undefined

export function watchFor(signal: AbortSignal, progress: (progress: TaskProgress) => void): Watch {
  return (step, done, total, unit) => {
    signal.throwIfAborted()
    progress({ step, done, total, unit })
  }
}
