import type { Answer, CallProblem } from '@galley/library/records'
import type { SiteId, TaskProgress } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { EmulatorState, faultNames, KitReport, KitRun, reportFormats } from '../../../ipc/developer.ts'
import type { View } from '../../bridge/answers.ts'
import { viewOf } from '../../bridge/answers.ts'
import type { RunningTask } from '../../bridge/follow-task.ts'
import { followTask } from '../../bridge/follow-task.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'

/** What the section of a site shows of its emulator and of the kit. */
export interface Bench {
  readonly emulator: EmulatorState | null
  readonly themes: readonly string[]
  /** Of the last run. */
  readonly report: KitReport | null
}

export interface DeveloperState {
  readonly site: SiteId | null
  readonly view: View<Bench>
  readonly isStarting: boolean
  /** Why the last action on the emulator failed. */
  readonly problem: CallProblem | null
  /** The run of this window: there is one at a time, since runs would share a port. */
  readonly run: { readonly progress: TaskProgress | null; readonly isCancelling: boolean } | null
  readonly runProblem: CallProblem | null
  /** Where the last report was saved. */
  readonly savedTo: string | null
  show(site: SiteId | null): void
  load(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  open(): Promise<void>
  order(kind: (typeof faultNames)[number]): Promise<void>
  clear(): Promise<void>
  runKit(run: Omit<KitRun, 'site'>): Promise<void>
  cancel(): void
  save(format: (typeof reportFormats)[number]): Promise<void>
}

const untouched = { isStarting: false, problem: null, runProblem: null, savedTo: null } as const

function createDeveloper(bridge: Bridge): StoreApi<DeveloperState> {
  let task: RunningTask<'conformance'> | null = null
  const developer = createStore<DeveloperState>()((set, get) => {
    /** Acts on the current site, and reads everything again. */
    async function act<Value>(action: (site: SiteId) => Promise<Answer<Value> | null>): Promise<Value | null> {
      const { site } = get()
      if (site === null) return null
      set({ problem: null })
      const done = await action(site).catch(() => unexpected)
      if (get().site === site && done !== null && !done.ok) set({ problem: done.failure })
      await get().load()
      return done?.ok === true ? done.value : null
    }
    return {
      site: null,
      view: { kind: 'loading' },
      run: null,
      ...untouched,
      show: (site) => {
        if (site !== get().site) set({ site, view: { kind: 'loading' }, ...untouched })
        void get().load()
      },
      load: oneAtATime(async () => {
        const { site } = get()
        if (site === null) return
        const view = await viewOf(
          Promise.all([
            bridge.call('readEmulator', { site }),
            bridge.call('kitThemes', undefined),
            bridge.call('readKitReport', { site }),
          ]).then(([emulator, themes, report]) => ({ emulator, themes, report })),
        )
        if (get().site === site) set({ view })
      }),
      start: async () => {
        if (get().isStarting) return
        set({ isStarting: true })
        await act((site) => bridge.call('startEmulator', { site }))
        set({ isStarting: false })
      },
      stop: async () => void (await act((site) => bridge.call('stopEmulator', { site }))),
      open: async () => void (await act((site) => bridge.call('openEmulator', { site }))),
      order: async (kind) => void (await act((site) => bridge.call('orderFault', { site, kind }))),
      clear: async () => void (await act((site) => bridge.call('clearFaults', { site }))),
      runKit: async (run) => {
        const { site } = get()
        if (site === null || get().run !== null) return
        set({ run: { progress: null, isCancelling: false }, runProblem: null, savedTo: null })
        const change = (over: Partial<DeveloperState['run']>): void => {
          const { run: running } = get()
          if (running !== null) set({ run: { ...running, ...over } })
        }
        task = followTask(bridge, bridge.call('startKit', { ...run, site }), (progress) => change({ progress }))
        const ended = await task.ended
        task = null
        set({ run: null, ...(get().site === site && { runProblem: ended.ok ? null : ended.failure }) })
        await get().load()
      },
      cancel: () => {
        const { run } = get()
        if (run === null) return
        set({ run: { ...run, isCancelling: true } })
        task?.cancel()
      },
      save: async (format) => {
        const savedTo = await act((site) => bridge.call('saveKitReport', { site, format }))
        if (savedTo !== null) set({ savedTo })
      },
    }
  })
  onChange(bridge, ['sites', 'callbacks'], () => void developer.getState().load())
  return developer
}

const unexpected = { ok: false, failure: { code: 'unexpected' } } as const

const [useDeveloper, provideDeveloper] = createStoreContext<DeveloperState>('developer')
export { useDeveloper }

/** The developer section of the site that Settings shows. */
export function createDeveloperStores({ bridge, navigation }: Services): readonly Provide[] {
  const developer = createDeveloper(whileShown(bridge, navigation, ['settings']))
  followOn(navigation, ['settings'], (site) => developer.getState().show(site))
  return [provideDeveloper(developer)]
}
