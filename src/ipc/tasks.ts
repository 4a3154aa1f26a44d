import type { Task } from '@galley/library/records'
import { taskName } from '@galley/library/records'
import { z } from 'zod'

import { asks, nothing } from './call.ts'

/** An automatic task that succeeded: the task list shows it, but no message. */
export const endedQuietly = (task: Task): boolean => task.end.kind === 'done' && taskName(task) === 'automaticBackup'

const byTask = z.strictObject({ id: z.string().max(100) })

export const taskCalls = {
  /** Newest first. Ended tasks stay until they are dismissed or the app ends. */
  listTasks: asks(nothing).gives<readonly Task[]>(),
  cancelTask: asks(byTask).gives<null>(),
  /** Removes an ended task from the list. */
  dismissTask: asks(byTask).gives<null>(),
}
