import type { Answer, CallProblem, Task, TeamConflict, TeamConflicts, TeamView } from '@galley/library/records'
import { ok } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { TeamKeysForm, UnfinishedJoin } from '../../../ipc/team.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

const kinds = ['teamJoin', 'teamImport', 'teamLeave'] as const
type TeamTask = Task & { readonly kind: (typeof kinds)[number] }

const isOfTeam = (task: Task): task is TeamTask => kinds.some((kind) => kind === task.kind)

export interface TeamState {
  /** null: the library is on this computer alone, or not read yet. */
  readonly view: TeamView | null
  /** The newest task about the team, running or not. */
  readonly task: TeamTask | null
  /** Why the last action failed. */
  readonly problem: CallProblem | null
  /** The folder that the app was started with, if it has to finish joining first. */
  readonly unfinished: UnfinishedJoin | null
  /** `keys` null: those that are kept. A failure that names no field is in `problem` as well. */
  resume(keys: TeamKeysForm | null): Promise<Answer<unknown>>
  /** Restarts the app with a library folder that a person chooses. */
  chooseAnother(): Promise<void>
  /** Changes that conflict with the team's; null before they were read. */
  readonly conflicts: TeamConflicts | null
  loadConflicts(): Promise<void>
  /** Answers how many changes are left to decide. */
  decide(conflict: TeamConflict, take: 'mine' | 'theirs'): Promise<Answer<number>>
  load(): Promise<void>
  sync(): Promise<void>
  leave(fetchAll: boolean): Promise<void>
  openJoined(): Promise<void>
  cancel(): void
}

/** Finishing a join that was interrupted. */
const joinActions = (bridge: Bridge, set: StoreApi<TeamState>['setState']) =>
  ({
    unfinished: null,
    resume: async (keys) => {
      const started = await catchUnexpected(bridge.call('resumeTeamJoin', { keys }))
      set({ problem: started.ok || started.failure.field !== undefined ? null : started.failure })
      return started
    },
    chooseAnother: async () => {
      const chosen = await catchUnexpected(bridge.call('chooseLibraryFolder', undefined))
      set({ problem: chosen.ok ? null : chosen.failure })
      if (chosen.ok && chosen.value !== null) await bridge.call('relaunch', undefined).catch(() => null)
    },
  }) satisfies Partial<TeamState>

/** The state of the team, as main pushes it; a push during a read is newer than its answer. */
export function createTeam(bridge: Bridge): StoreApi<TeamState> {
  let pushes = 0
  const team = createStore<TeamState>()((set, get) => {
    const read = async (name: 'readTeam' | 'syncTeam'): Promise<void> => {
      const before = pushes
      const view = await bridge.call(name, undefined).catch(() => null)
      if (pushes === before) set({ view })
    }
    return {
      view: null,
      task: null,
      problem: null,
      ...joinActions(bridge, set),
      conflicts: null,
      loadConflicts: async () => {
        const conflicts = await bridge.call('teamConflicts', undefined).catch(() => null)
        if (conflicts !== null) set({ conflicts })
      },
      decide: async ({ id }, take) => {
        const decided = await catchUnexpected(bridge.call('decideTeamConflict', { id, take }))
        await Promise.all([get().loadConflicts(), read('readTeam')])
        return decided.ok ? ok(get().conflicts?.total ?? 0) : decided
      },
      load: async () => {
        const [unfinished, tasks] = await Promise.all([
          bridge.call('unfinishedJoin', undefined).catch(() => null),
          bridge.call('listTasks', undefined).catch((): readonly Task[] => []),
        ])
        set({ unfinished })
        const task = tasks.find(isOfTeam)
        if (task !== undefined) set({ task })
        await read('readTeam')
      },
      sync: () => read('syncTeam'),
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
  team.subscribe(({ view, loadConflicts }, before) => {
    if (view?.undecided !== before.view?.undecided) void loadConflicts()
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
