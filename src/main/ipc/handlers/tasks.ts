import type { Tasks } from '@galley/library'

import type { Handlers } from '../../../ipc/calls.ts'
import type { TaskCalls } from '../../../ipc/tasks.ts'

export interface TaskPorts {
  readonly tasks: Tasks
}

/** Calls about the tasks of all windows and processes. */
export const taskHandlers = ({ tasks }: TaskPorts): Pick<Handlers, keyof TaskCalls> => ({
  listTasks: () => tasks.list(),
  cancelTask({ id }) {
    tasks.cancel(id)
    return null
  },
  dismissTask({ id }) {
    tasks.dismiss(id)
    return null
  },
})
