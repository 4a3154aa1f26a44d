import type {
  Answer,
  CallProblem,
  CollectReport,
  Health,
  LibraryReport,
  ListenerState,
  RestoredLibrary,
  SiteCheck,
} from '@galley/library/records'
import type { SiteId, TaskProgress } from '@galley/wire'
import { ok } from '@galley/wire'
import { z } from 'zod'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { ChosenPath } from '../../../ipc/call.ts'
import type { Bridge } from '../../../ipc/calls.ts'
import type { RebuildSource } from '../../../ipc/health.ts'
import { catchUnexpected, viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { followTask, orCancelled } from '../../bridge/follow-task.ts'
import type { StartedTask } from '../../bridge/follow-task.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import { keep, readKept } from '../../ui/kept.ts'

const jobKinds = ['libraryCheck', 'backup', 'restore', 'collect'] as const
export type JobKind = (typeof jobKinds)[number]

/** The state of a maintenance task started here. */
export type Job =
  | { readonly kind: 'running'; readonly progress: TaskProgress | null; readonly cancel: () => void }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

/** The result of the last test of the callback URL. `listener`: its state when the test began, as JSON. */
export type Reach =
  | { readonly kind: 'untested' }
  | { readonly kind: 'testing'; readonly site: SiteId }
  | { readonly kind: 'done'; readonly site: SiteId; readonly listener: string; readonly checks: readonly SiteCheck[] }
  | { readonly kind: 'failed'; readonly site: SiteId; readonly listener: string; readonly problem: CallProblem }

/** A failed action that has no other place to show it. */
export interface FailedAction {
  readonly what:
    | 'startListener'
    | 'stopListener'
    | 'takeSaves'
    | 'forgetSleep'
    | 'forgetSkipped'
    | 'openFolder'
    | 'openRestored'
    | 'rebuild'
    | 'restart'
  readonly problem: CallProblem
}

export interface HealthState {
  readonly view: View<Health>
  /** Whether the checks that need nobody are shown too; kept. */
  readonly showsAll: boolean
  /** When the health data was read; null before that. */
  readonly readAt: string | null
  readonly jobs: { readonly [Kind in JobKind]?: Job }
  readonly reach: Reach
  /** The report of a check in this session; of earlier checks only the figures are known. */
  readonly report: LibraryReport | null
  readonly collected: CollectReport | null
  readonly restored: RestoredLibrary | null
  /** The open restore dialog, or null. `isSubmitted`: it was submitted with a field missing. */
  readonly restoring: {
    readonly backup: ChosenPath | null
    readonly folder: ChosenPath | null
    readonly isSubmitted: boolean
  } | null
  /** Shown once. */
  readonly failedAction: FailedAction | null
  /** Called once it was shown. */
  clearFailedAction(): void
  showAll(showsAll: boolean): void
  load(): Promise<void>
  /** Reloads everything, and repeats the tests that were run before. */
  recheck(): Promise<void>
  startListener(): Promise<void>
  stopListener(): Promise<void>
  testReach(site: SiteId): Promise<void>
  /** Discards the test result and ignores a running test, because the URL changed. */
  forgetReach(): void
  check(isRepair: boolean): Promise<void>
  backUp(): Promise<void>
  askRestore(): void
  /** Opens a system dialog for one of the two. */
  chooseForRestore(what: 'backup' | 'folder'): Promise<void>
  cancelRestore(): void
  restore(): Promise<void>
  openRestored(): Promise<void>
  takeSaves(site: SiteId | null): Promise<void>
  forgetSleep(): Promise<void>
  forgetSkipped(): Promise<void>
  collect(isDryRun: boolean): Promise<void>
  openFolder(): Promise<void>
  /** Asks in a system dialog, then restarts Galley. */
  rebuild(from: RebuildSource): Promise<void>
  restart(): Promise<void>
}

type Store = Pick<StoreApi<HealthState>, 'setState' | 'getState'>

/** Tests whether callbacks reach this computer. */
function reachActions(
  { setState: set, getState: get }: Store,
  bridge: Bridge,
  listenerNow: () => ListenerState | null,
) {
  return {
    testReach: async (site) => {
      const listener = JSON.stringify(listenerNow())
      set({ reach: { kind: 'testing', site } })
      const checked = await catchUnexpected(bridge.call('checkSite', { site }))
      // A push may arrive after the answer, so the state of the listener is read again.
      const after = await bridge.call('listenerState', undefined).catch(() => null)
      const { reach } = get()
      // The callback URL or the site changed during the test: drop its outdated result.
      if (reach.kind !== 'testing' || reach.site !== site) return
      // So did the listener, unless it is as before: the test starts a stopped one for its duration.
      if (JSON.stringify(after) !== listener) return set({ reach: { kind: 'untested' } })
      set({
        reach: checked.ok
          ? { kind: 'done', site, listener, checks: checked.value }
          : { kind: 'failed', site, listener, problem: checked.failure },
      })
    },
    forgetReach: () => set({ reach: { kind: 'untested' } }),
  } satisfies Partial<HealthState>
}

/** Library maintenance tasks: check, backup, restore, deleting unused files. */
function maintenanceActions({ setState: set, getState: get }: Store, bridge: Bridge) {
  const setJob = (kind: JobKind, job: Job | undefined): void => {
    const { [kind]: _, ...others } = get().jobs
    set({ jobs: job === undefined ? others : { ...others, [kind]: job } })
  }

  /** Runs a task to its end, unless one of its kind is running; null without a result. */
  async function run<Kind extends JobKind>(kind: Kind, start: () => Promise<Answer<StartedTask>>) {
    if (get().jobs[kind]?.kind === 'running') return null
    const running = followTask<Kind>(bridge, orCancelled(start()), (progress) =>
      setJob(kind, { kind: 'running', progress, cancel: running.cancel }),
    )
    // Clear earlier failures, or a row with two jobs keeps showing the other job's error.
    for (const other of jobKinds) if (get().jobs[other]?.kind === 'failed') setJob(other, undefined)
    setJob(kind, { kind: 'running', progress: null, cancel: running.cancel })
    const ended = await running.ended
    const problem = ended.ok || ended.failure.code === 'cancelled' ? null : ended.failure
    setJob(kind, problem === null ? undefined : { kind: 'failed', problem })
    await get().load()
    return ended.ok ? ended.value : null
  }

  return {
    check: async (isRepair) => {
      const report = await run('libraryCheck', () => bridge.call('startLibraryCheck', { isRepair }))
      if (report !== null) set({ report })
    },
    backUp: async () => void (await run('backup', () => bridge.call('startBackup', { ask: false }))),
    askRestore: () => set({ restoring: { backup: null, folder: null, isSubmitted: false } }),
    chooseForRestore: async (what) => {
      const name = what === 'backup' ? 'chooseBackup' : 'chooseRestoreFolder'
      const chosen = await bridge.call(name, undefined).catch(() => null)
      const { restoring } = get()
      if (chosen !== null && restoring !== null) set({ restoring: { ...restoring, [what]: chosen } })
    },
    cancelRestore: () => set({ restoring: null }),
    restore: async () => {
      const { restoring } = get()
      if (restoring === null) return
      const { backup, folder } = restoring
      if (backup === null || folder === null) return set({ restoring: { ...restoring, isSubmitted: true } })
      set({ restoring: null })
      const input = { backup: backup.token, folder: folder.token }
      const restored = await run('restore', () => bridge.call('startRestore', input))
      if (restored !== null) set({ restored })
    },
    collect: async (isDryRun) => {
      // The list of unused files is outdated once some may be deleted.
      if (!isDryRun) set({ collected: null })
      const collected = await run('collect', () => bridge.call('startCollect', { isDryRun }))
      if (collected !== null) set({ collected })
    },
  } satisfies Partial<HealthState>
}

/** Actions whose failure is only shown in a toast. */
function toastActions({ setState: set, getState: get }: Store, bridge: Bridge) {
  async function ask(what: FailedAction['what'], answer: Promise<Answer<null>>): Promise<void> {
    const done = await catchUnexpected(answer)
    if (!done.ok) set({ failedAction: { what, problem: done.failure } })
  }

  return {
    clearFailedAction: () => set({ failedAction: null }),
    openRestored: () => ask('openRestored', bridge.call('openRestoredLibrary', undefined)),
    takeSaves: async (site) => {
      await ask('takeSaves', bridge.call('resumeSaves', { site }))
      await get().load()
    },
    forgetSleep: async () => {
      await ask('forgetSleep', bridge.call('forgetSleepGaps', undefined).then(ok))
      await get().load()
    },
    forgetSkipped: async () => {
      await ask('forgetSkipped', bridge.call('forgetSkippedEntries', undefined).then(ok))
      await get().load()
    },
    openFolder: () => ask('openFolder', bridge.call('openLibraryFolder', undefined)),
    rebuild: (from) => ask('rebuild', bridge.call('rebuildIndex', { from })),
    restart: () => ask('restart', bridge.call('relaunch', undefined).then(ok)),
  } satisfies Partial<HealthState>
}

/** Library health and maintenance: listener, keychain, disk and library. */
export function createHealth(bridge: Bridge): StoreApi<HealthState> {
  let listener: ListenerState | null = null
  const listenerNow = (): ListenerState | null => {
    const { view } = health.getState()
    return listener ?? (view.kind === 'ready' ? view.items.listener : null)
  }
  const health = createStore<HealthState>()((set, get, store) => ({
    view: { kind: 'loading' },
    showsAll: readKept('checks', z.boolean(), false),
    readAt: null,
    jobs: {},
    reach: { kind: 'untested' },
    report: null,
    collected: null,
    restored: null,
    restoring: null,
    failedAction: null,
    showAll: (showsAll) => {
      set({ showsAll })
      keep('checks', showsAll)
    },
    load: oneAtATime(async () => {
      const before = listener
      const read = await viewOf(bridge.call('readHealth', undefined))
      // A push that came during the read is newer than what was read.
      const pushed = listener === before ? null : listener
      const view: View<Health> =
        read.kind === 'ready' && pushed !== null ? { kind: 'ready', items: { ...read.items, listener: pushed } } : read
      set({ view, readAt: view.kind === 'ready' ? new Date().toISOString() : null })
    }),
    recheck: async () => {
      const { reach, load, testReach } = get()
      const tested = reach.kind === 'done' || reach.kind === 'failed' ? testReach(reach.site) : null
      await Promise.all([load(), tested])
    },
    startListener: () => askListener('startListener'),
    stopListener: () => askListener('stopListener'),
    ...reachActions(store, bridge, listenerNow),
    ...maintenanceActions(store, bridge),
    ...toastActions(store, bridge),
  }))

  const setListener = (next: ListenerState): void => {
    const { view, reach, forgetReach } = health.getState()
    listener = next
    // A test through another listener says nothing about this one. During a test, the test itself starts and stops one.
    const isSettled = next.kind !== 'starting' && next.kind !== 'stopping'
    if ('listener' in reach && isSettled && JSON.stringify(next) !== reach.listener) forgetReach()
    if (view.kind === 'ready') health.setState({ view: { kind: 'ready', items: { ...view.items, listener: next } } })
  }
  const askListener = async (name: 'startListener' | 'stopListener'): Promise<void> => {
    const answer = await catchUnexpected<ListenerState>(bridge.call(name, undefined).then(ok))
    if (answer.ok) setListener(answer.value)
    else health.setState({ failedAction: { what: name, problem: answer.failure } })
  }
  bridge.on('listenerState', setListener)
  bridge.on('team', (team) => {
    const { view } = health.getState()
    if (view.kind === 'ready') health.setState({ view: { kind: 'ready', items: { ...view.items, team } } })
  })
  return health
}

export const [useHealth, provideHealth] = createStoreContext<HealthState>('health')
