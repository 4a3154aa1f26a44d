import type { Answer, CallProblem, KeyVariable, SiteCheck } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { ChosenPath } from '../../../ipc/call.ts'
import type { Bridge } from '../../../ipc/calls.ts'
import type { ImportableSite, SiteForm } from '../../../ipc/sites.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

/** The state of a site test. */
export type SiteTest =
  | { readonly kind: 'testing' }
  | { readonly kind: 'done'; readonly checks: readonly SiteCheck[] }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

export interface SiteListState {
  readonly tests: Readonly<Record<string, SiteTest>>
  /** The sites of the file being imported, or null. */
  readonly importable: { readonly token: string; readonly sites: readonly ImportableSite[] } | null
  readonly problem: CallProblem | null
  /** The name of the site whose import failed. */
  readonly notImported: string | null
  /** The number of exported sites. */
  readonly exported: number | null
  test(site: SiteId): Promise<void>
  /** Discards the result of a test, also of a running one, because the site changed. */
  forgetTest(site: SiteId): void
  /** Starts publishing the files of all saves to the site's folder or bucket. */
  republish(site: SiteId): Promise<void>
  exportAll(): Promise<void>
  readFile(): Promise<void>
  /** Imports the chosen sites; stops at the first failure and keeps the dialog open. */
  importSites(ids: readonly string[]): Promise<void>
  closeImport(): void
  save(form: SiteForm): Promise<Answer<unknown>>
  chooseFolder(site: SiteId): Promise<ChosenPath | null>
  /** null if unknown. */
  bucketKeys(): Promise<readonly KeyVariable[] | null>
}

/** Site actions of the settings screen, except for the site form itself. */
export const createSiteList = (bridge: Bridge): StoreApi<SiteListState> =>
  createStore<SiteListState>()((set, get) => ({
    tests: {},
    importable: null,
    problem: null,
    notImported: null,
    exported: null,
    test: async (site) => {
      const tell = (test: SiteTest): void => set({ tests: { ...get().tests, [site]: test } })
      if (get().tests[site]?.kind === 'testing') return
      const testing: SiteTest = { kind: 'testing' }
      tell(testing)
      const checked = await catchUnexpected(bridge.call('checkSite', { site }))
      if (get().tests[site] !== testing) return
      tell(checked.ok ? { kind: 'done', checks: checked.value } : { kind: 'failed', problem: checked.failure })
    },
    forgetTest: (site) => {
      const { [site]: _, ...tests } = get().tests
      set({ tests })
    },
    republish: async (site) => {
      const started = await catchUnexpected(bridge.call('republishSite', { site }))
      set({ problem: started.ok ? null : started.failure })
    },
    exportAll: async () => {
      const written = await catchUnexpected(bridge.call('exportSites', { sites: [] }))
      set({
        problem: written.ok ? null : written.failure,
        exported: written.ok && written.value !== null ? written.value.count : null,
      })
    },
    readFile: async () => {
      const read = await catchUnexpected(bridge.call('readSitesFile', undefined))
      set({ problem: read.ok ? null : read.failure, importable: read.ok ? read.value : null, exported: null })
    },
    importSites: async (ids) => {
      const { importable } = get()
      if (importable === null) return
      const imported = await catchUnexpected(bridge.call('importSites', { file: importable.token, sites: ids }))
      if (imported.ok) return set({ importable: null, problem: null, notImported: null })
      const { failure } = imported
      set({ problem: failure, notImported: 'site' in failure ? String(failure.site) : null })
    },
    closeImport: () => set({ importable: null, problem: null, notImported: null }),
    save: (form) => catchUnexpected(bridge.call('saveSite', form)),
    bucketKeys: async () => await bridge.call('bucketKeys', undefined).catch(() => null),
    chooseFolder: async (site) => await bridge.call('choosePublishFolder', { site }).catch(() => null),
  }))

export const [useSiteList, provideSiteList] = createStoreContext<SiteListState>('list of sites')
