import type { Task } from '@galley/library/records'
import type { TaskId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface TasksState {
  /** Newest first. */
  readonly tasks: readonly Task[]
  load(): Promise<void>
  cancel(id: TaskId): void
  /** Removes all finished tasks. */
  clear(): void
}

export const isRunning = ({ end }: Task): boolean => end.kind === 'running'

/** Replaces a changed task, or adds a new one first. */
function withTask(tasks: readonly Task[], changed: Task): readonly Task[] {
  const isKnown = tasks.some(({ id }) => id === changed.id)
  return isKnown ? tasks.map((task) => (task.id === changed.id ? changed : task)) : [changed, ...tasks]
}

/** Tasks that take longer than a second, as pushed by main; `onEnd` is called once for each end. */
export function createTasks(bridge: Bridge, onEnd: (task: Task) => void): StoreApi<TasksState> {
  const tasks = createStore<TasksState>()((set, get) => ({
    tasks: [],
    load: async () => {
      // Main has logged the failure; pushes still arrive.
      const tasks = await bridge.call('listTasks', undefined).catch(() => null)
      if (tasks !== null) set({ tasks })
    },
    cancel: (id) => void bridge.call('cancelTask', { id }).catch(() => null),
    clear: () => {
      const ended = get().tasks.filter((task) => !isRunning(task))
      set({ tasks: get().tasks.filter(isRunning) })
      for (const { id } of ended) void bridge.call('dismissTask', { id }).catch(() => null)
    },
  }))
  bridge.on('taskChanged', (task) => {
    const before = tasks.getState().tasks.find(({ id }) => id === task.id)
    tasks.setState(({ tasks }) => ({ tasks: withTask(tasks, task) }))
    if (!isRunning(task) && (before === undefined || isRunning(before))) onEnd(task)
  })
  return tasks
}

export const [useTasks, provideTasks] = createStoreContext<TasksState>('tasks')
