import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { CallProblem } from '../../../contract/ipc/problem.ts'
import type { Task } from '../../../contract/ipc/tasks.ts'
import type { TeamView } from '../../../contract/ipc/team.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

const kinds = ['teamJoin', 'teamImport', 'teamLeave'] as const
type TeamTask = Task & { readonly kind: (typeof kinds)[number] }

const isOfTeam = (task: Task): task is TeamTask => kinds.some((kind) => kind === task.kind)

export interface TeamState {
  /** Null: the library is on this computer alone, or nobody knows yet. */
  readonly view: TeamView | null
  /** The newest task about the team, running or not. */
  readonly task: TeamTask | null
  /** Why the last action was not done. */
  readonly problem: CallProblem | null
  load(): Promise<void>
  look(): Promise<void>
  leave(fetchAll: boolean): Promise<void>
  openJoined(): Promise<void>
  cancel(): void
}

/** Where the library stands with its team, as main pushes it; a push during a read is newer than its answer. */
export function createTeam(bridge: Bridge): StoreApi<TeamState> {
  let pushes = 0
  const team = createStore<TeamState>()((set, get) => {
    const read = async (name: 'readTeam' | 'lookAtTeam'): Promise<void> => {
      const before = pushes
      const view = await bridge.call(name, undefined).catch(() => null)
      if (pushes === before) set({ view })
    }
    return {
      view: null,
      task: null,
      problem: null,
      load: async () => {
        const tasks = await bridge.call('listTasks', undefined).catch((): readonly Task[] => [])
        const task = tasks.find(isOfTeam)
        if (task !== undefined) set({ task })
        await read('readTeam')
      },
      look: () => read('lookAtTeam'),
      leave: async (fetchAll) => {
        const started = await catchUnexpected(bridge.call('startTeamLeave', { fetchAll }))
        set({ problem: started.ok ? null : started.failure })
      },
      openJoined: async () => {
        const opened = await catchUnexpected(bridge.call('openJoinedLibrary', undefined))
        set({ problem: opened.ok ? null : opened.failure })
      },
      cancel: () => {
        const { task } = get()
        if (task !== null) void bridge.call('cancelTask', { id: task.id }).catch(() => null)
      },
    }
  })
  bridge.on('team', (view) => {
    pushes += 1
    team.setState({ view })
  })
  bridge.on('taskChanged', (task) => {
    if (isOfTeam(task)) team.setState({ task })
  })
  return team
}

export const [useTeam, provideTeam] = createStoreContext<TeamState>('team')
