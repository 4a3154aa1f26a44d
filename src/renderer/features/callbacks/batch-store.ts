import type { ReplayComparison, Task } from '@galley/library/records'
import type { TaskId, TaskProgress } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

/** A replay of one or several callbacks: requested, running, or finished. */
export interface BatchState {
  readonly selected: ReadonlySet<string>
  /** null while the dialog is closed. */
  readonly replay: null | {
    readonly ids: readonly string[]
    readonly isDryRun: boolean
    /** null until the replay is confirmed. */
    readonly view: View<readonly ReplayComparison[]> | null
    /** Progress of a replay of several; null until known. */
    readonly progress: TaskProgress | null
  }
  select(ids: ReadonlySet<string>): void
  /** Asks for confirmation of a replay; a dry run starts at once. */
  ask(ids: readonly string[], isDryRun: boolean): void
  /** Replays the selection if it includes this callback, otherwise only this callback. */
  askFor(id: string, isDryRun: boolean): void
  start(): Promise<void>
  /** Shows the result of a replay that continued as a task. */
  showOutcome(comparisons: readonly ReplayComparison[]): void
  /** Stops the replay; callbacks already replayed stay replayed. */
  cancel(): void
  /** A running replay continues as a task. */
  close(): void
}
export type BatchStore = StoreApi<BatchState>

/** The selected callbacks, and their replay. */
export function createBatch(bridge: Bridge): BatchStore {
  let awaited: TaskId | null = null
  /** Counts the openings of the dialog: an answer belongs to the one that asked. */
  let opened = 0
  const batch = createStore<BatchState>()((set, get) => ({
    selected: new Set(),
    replay: null,
    select: (selected) => set({ selected }),
    ask: (ids, isDryRun) => {
      opened += 1
      awaited = null
      set({ replay: { ids, isDryRun, view: null, progress: null } })
      if (isDryRun) void get().start()
    },
    askFor: (id, isDryRun) => {
      const { selected, ask } = get()
      ask(selected.has(id) ? [...selected] : [id], isDryRun)
    },
    start: async () => {
      const { replay } = get()
      if (replay === null) return
      const { ids, isDryRun } = replay
      const own = opened
      const show = (view: View<readonly ReplayComparison[]>) => own === opened && put(view)
      show({ kind: 'loading' })
      const [only, ...others] = ids
      if (only !== undefined && others.length === 0) {
        const one = await catchUnexpected(bridge.call('replayCallback', { id: only, isDryRun }))
        return void show(one.ok ? { kind: 'ready', items: [one.value] } : { kind: 'failed', problem: one.failure })
      }
      const answer = await catchUnexpected(bridge.call('replayCallbacks', { ids, isDryRun }))
      if (!answer.ok) return void show({ kind: 'failed', problem: answer.failure })
      if (own !== opened) return
      awaited = answer.value.task
      // A short task may end before its id arrives here.
      const tasks = await bridge.call('listTasks', undefined).catch(() => [])
      const task = tasks.find(({ id }) => id === awaited)
      if (task) take(task)
    },
    showOutcome: (items) => {
      opened += 1
      awaited = null
      const isDryRun = items.every((comparison) => comparison.isDryRun)
      set({ replay: { ids: items.map(({ id }) => id), isDryRun, view: { kind: 'ready', items }, progress: null } })
    },
    cancel: () => {
      if (awaited !== null) void bridge.call('cancelTask', { id: awaited }).catch(() => null)
    },
    close: () => {
      opened += 1
      awaited = null
      set({ replay: null })
    },
  }))
  const put = (view: View<readonly ReplayComparison[]>): void => {
    const { replay } = batch.getState()
    if (replay !== null) batch.setState({ replay: { ...replay, view } })
  }
  const take = (task: Task): void => {
    if (task.id !== awaited || task.kind !== 'replay') return
    if (task.end.kind === 'running') {
      const { replay } = batch.getState()
      if (replay !== null) batch.setState({ replay: { ...replay, progress: task.progress } })
      return
    }
    awaited = null
    if (task.end.kind === 'cancelled') batch.getState().close()
    else if (task.end.kind === 'done') put({ kind: 'ready', items: task.end.result })
    else put({ kind: 'failed', problem: task.end.problem })
  }
  bridge.on('taskChanged', take)
  return batch
}

export const [useBatch, provideBatch] = createStoreContext<BatchState>('replay of several')
