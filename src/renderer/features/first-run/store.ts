import type { CallProblem, Health, KeychainHealth, SiteCheck } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { ChosenLibrary } from '../../../ipc/health.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

export const steps = ['keychain', 'library', 'site', 'listener', 'session'] as const
export type Step = (typeof steps)[number]

/** The state of a repeatable test. */
export type Tested<Value> =
  | { readonly kind: 'untested' }
  | { readonly kind: 'testing' }
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

/** Whether any of these self-tests failed. */
export const hasFailed = (tested: Tested<readonly SiteCheck[]>, names: readonly SiteCheck['name'][]): boolean =>
  tested.kind === 'done' && tested.value.some(({ name, ok }) => !ok && names.includes(name))

export interface FirstRunState {
  /** `unknown` until settings and sites are loaded. */
  readonly phase: 'unknown' | 'shown' | 'over'
  readonly step: Step
  readonly keychain: Tested<KeychainHealth>
  readonly library: Tested<Health>
  readonly siteChecks: Tested<readonly SiteCheck[]>
  /** The library folder after the next restart, or why it cannot be used. */
  readonly nextFolder: Tested<ChosenLibrary>
  readonly tryIt: Tested<null>
  /** Starts the setup, unless it was completed or skipped before or the library is in use. */
  begin(hasSites: boolean): Promise<void>
  goTo(step: Step): void
  /** Goes to the next step; after the last one, ends the setup. */
  next(): void
  leave(): void
  testKeychain(): Promise<void>
  testLibrary(): Promise<void>
  testSite(site: SiteId): Promise<void>
  /** Discards the results, also of a running test, because the site changed. */
  forgetSiteChecks(): void
  chooseFolder(): Promise<void>
  restart(): void
  startTryIt(): Promise<void>
}

const untested = { kind: 'untested' } as const
const testing = { kind: 'testing' } as const
const unexpected: CallProblem = { code: 'unexpected' }

/** First-run setup: five steps that can be tested and skipped independently. */
export function createFirstRun(bridge: Bridge): StoreApi<FirstRunState> {
  return createStore<FirstRunState>()((set, get) => ({
    phase: 'unknown',
    step: 'keychain',
    keychain: untested,
    library: untested,
    siteChecks: untested,
    nextFolder: untested,
    tryIt: untested,
    begin: async (hasSites) => {
      if (get().phase !== 'unknown') return
      if (hasSites) {
        set({ phase: 'over' })
        return
      }
      // The setup is optional: without settings, skip it.
      const settings = await bridge.call('readSettings', undefined).catch(() => null)
      set({ phase: settings === null || settings.welcomed ? 'over' : 'shown' })
    },
    goTo: (step) => set({ step }),
    next: () => {
      const step = steps[steps.indexOf(get().step) + 1]
      if (step === undefined) get().leave()
      else set({ step })
    },
    leave: () => {
      set({ phase: 'over' })
      void bridge.call('changeSettings', { welcomed: true }).catch(() => null)
    },
    testKeychain: async () => {
      set({ keychain: testing })
      const value = await bridge.call('probeKeychain', undefined).catch(() => null)
      set({ keychain: value === null ? { kind: 'failed', problem: unexpected } : { kind: 'done', value } })
    },
    testLibrary: async () => {
      set({ library: testing })
      const value = await bridge.call('readHealth', undefined).catch(() => null)
      set({ library: value === null ? { kind: 'failed', problem: unexpected } : { kind: 'done', value } })
    },
    testSite: async (site) => {
      const tested = { kind: 'testing' } as const
      set({ siteChecks: tested })
      const checked = await catchUnexpected(bridge.call('checkSite', { site }))
      if (get().siteChecks !== tested) return
      set({
        siteChecks: checked.ok ? { kind: 'done', value: checked.value } : { kind: 'failed', problem: checked.failure },
      })
    },
    forgetSiteChecks: () => set({ siteChecks: untested }),
    chooseFolder: async () => {
      const chosen = await catchUnexpected(bridge.call('chooseLibraryFolder', undefined))
      if (!chosen.ok) set({ nextFolder: { kind: 'failed', problem: chosen.failure } })
      else if (chosen.value !== null) set({ nextFolder: { kind: 'done', value: chosen.value } })
    },
    restart: () => void bridge.call('relaunch', undefined).catch(() => null),
    startTryIt: async () => {
      if (get().tryIt.kind === 'testing') return
      set({ tryIt: testing })
      const started = await catchUnexpected(bridge.call('startTryIt', undefined))
      if (!started.ok) {
        set({ tryIt: { kind: 'failed', problem: started.failure } })
        return
      }
      set({ tryIt: { kind: 'done', value: null } })
      get().leave()
    },
  }))
}

export const [useFirstRun, provideFirstRun] = createStoreContext<FirstRunState>('first run')
