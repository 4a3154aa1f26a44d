import type { Task } from '@galley/library/records'
import { taskName } from '@galley/library/records'
import type { TaskId } from '@galley/wire'
import { z } from 'zod'

import type { Inputs } from './problem.ts'

/** An automatic task that succeeded: the task list shows it, but no message. */
export const endedQuietly = (task: Task): boolean => task.end.kind === 'done' && taskName(task) === 'automaticBackup'

export interface TaskCalls {
  /** Newest first. Ended tasks stay until they are dismissed or the app ends. */
  listTasks: { input: undefined; output: readonly Task[] }
  cancelTask: { input: { id: TaskId }; output: null }
  /** Removes an ended task from the list. */
  dismissTask: { input: { id: TaskId }; output: null }
}

const byTask = z.strictObject({ id: z.string().max(100) })

export const taskInputs: Inputs<TaskCalls> = {
  listTasks: z.undefined(),
  cancelTask: byTask,
  dismissTask: byTask,
}
