import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { TaskCalls } from '../../../../contract/ipc/tasks.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'

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
