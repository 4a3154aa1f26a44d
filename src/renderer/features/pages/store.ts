import type {
  MaterialRef,
  PageChanges,
  PageState,
  PageType,
  PagesBefore,
  SitePageRow,
  SitePageView,
  SitePublishing,
  VersionRow,
} from '@galley/library/records'
import { pageOrders } from '@galley/library/records'
import type { MaterialId, Result, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { z } from 'zod'
import { createStore } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { PageFallbacks } from '../../../ipc/pages.ts'
import { catchUnexpected, viewOfCall } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'
import { createShown } from '../../stores/shown.ts'
import type { Shown } from '../../stores/shown.ts'
import { keep, readKept } from '../../ui/kept.ts'

/** The table's query. */
export interface PageQuestion {
  readonly text: string
  readonly state: PageState | null
  readonly type: PageType | null
  readonly sort: Sort
}

/** The default query: every page. */
export const everyPage: Omit<PageQuestion, 'sort'> = { text: '', state: null, type: null }

/** The initial sort order. The person's choice is stored. */
const lastSaved = { column: 'saved', direction: 'desc' } as const
const sortSchema = z.strictObject({ column: z.enum(pageOrders), direction: z.enum(['asc', 'desc']) })
type Sort = z.infer<typeof sortSchema>

const inMain = ({ text, state, type, sort }: PageQuestion) => ({
  text: text.trim(),
  state,
  type,
  sort: { by: sort.column, direction: sort.direction === 'asc' ? ('up' as const) : ('down' as const) },
})

export const isNarrowed = ({ state, type }: Pick<PageQuestion, 'state' | 'type'>): boolean =>
  state !== null || type !== null

/** The open dialog. */
type PageDialog =
  | { readonly kind: 'none' }
  | { readonly kind: 'tags' | 'language'; readonly materialIds: readonly MaterialId[] }

type Outcome = Promise<Result<unknown, CallProblem>>

export interface SitePagesState {
  readonly site: SiteId | null
  readonly question: PageQuestion
  readonly selected: ReadonlySet<string>
  readonly dialog: PageDialog
  /** The tags of the site's pages. */
  readonly tags: readonly string[]
  load(): Promise<void>
  /** Changes the site and clears selection and search. */
  show(site: SiteId | null): void
  ask(change: Partial<PageQuestion>): void
  select(selected: ReadonlySet<string>): void
  /** All ids in a range of the current list. */
  idsBetween(first: number, last: number): Promise<readonly string[]>
  setDialog(dialog: PageDialog): void
  /** Both close the open dialog on success. */
  change(materialIds: readonly MaterialId[], changes: PageChanges): Outcome
  tag(materialIds: readonly MaterialId[], add: readonly string[], remove: readonly string[]): Outcome
  /** Undoes a change of several pages of a site, which may not be the shown one. */
  restore(site: SiteId, before: PagesBefore): Outcome
}

/** Called after a change of several pages; `before` is for undo. */
type OnChanged = (changed: { readonly site: SiteId; readonly count: number; readonly before: PagesBefore }) => void

/** The pages of a site: the table, its filters and its changes. */
export function createSitePages(bridge: Bridge, onChanged: OnChanged = () => undefined) {
  const pageRows = createPages<SitePageRow>(async (offset, limit) => {
    const { site, question } = pages.getState()
    return site === null
      ? { total: 0, rows: [] }
      : await bridge.call('pagesOfSite', { site, ...inMain(question), offset, limit })
  })
  const initial = (): Pick<SitePagesState, 'question' | 'selected' | 'dialog' | 'tags'> => ({
    question: { ...everyPage, sort: readKept('sort:pages', sortSchema, lastSaved) },
    selected: new Set(),
    dialog: { kind: 'none' },
    tags: [],
  })
  const pages = createStore<SitePagesState>()((set, get) => {
    const loadTags = oneAtATime(async () => {
      const { site } = get()
      if (site === null) return
      // Tags to choose from are optional: ignore their failure.
      const tags = await bridge.call('pageTags', { site }).catch(() => [])
      if (get().site === site) set({ tags })
    })
    const changed = async (
      count: number,
      run: (site: SiteId) => Promise<Result<PagesBefore, CallProblem>>,
    ): Outcome => {
      const { site } = get()
      if (site === null) return fail({ code: 'unknown_site' })
      const done = await catchUnexpected(run(site))
      if (!done.ok) return done
      set({ dialog: { kind: 'none' } })
      // A change of one page is visible in its row and form.
      if (count > 1) onChanged({ site, count, before: done.value })
      return done
    }
    return {
      site: null,
      ...initial(),
      load: async () => {
        if (get().site !== null) await Promise.all([pageRows.getState().refresh(), loadTags()])
      },
      show: (site) => {
        if (site === get().site) return
        set({ site, ...initial() })
        void pageRows.getState().restart()
        void loadTags()
      },
      ask: (change) => {
        if (change.sort) keep('sort:pages', change.sort)
        set({ question: { ...get().question, ...change }, selected: new Set() })
        void pageRows.getState().renew()
      },
      select: (selected) => set({ selected }),
      idsBetween: async (first, last) => {
        const { site, question } = get()
        if (site === null) return []
        const ids = await bridge.call('pageIds', { site, ...inMain(question) })
        // The list may show another site or question by now.
        return get().question === question ? ids.slice(first, last + 1) : []
      },
      setDialog: (dialog) => set({ dialog }),
      change: (materialIds, changes) =>
        changed(materialIds.length, (site) => bridge.call('savePageSettings', { site, materialIds, changes })),
      tag: (materialIds, add, remove) =>
        changed(materialIds.length, (site) => bridge.call('tagPages', { site, materialIds, add, remove })),
      restore: (site, before) => catchUnexpected(bridge.call('restorePages', { site, before })),
    }
  })
  onChange(bridge, ['materials', 'marks'], () => void pages.getState().load())
  return { pages, pageRows }
}

/** Older versions are chosen on the material's own screen. */
const offeredVersions = 100

/** The data of the inspector. */
export interface ShownPage {
  readonly page: SitePageView
  /** null: the page could not be read. */
  readonly fallbacks: PageFallbacks | null
  readonly publishing: SitePublishing
  /** The newest ones. */
  readonly versions: readonly VersionRow[]
}

/** The selected page with its defaults. */
export function createChosenPage(bridge: Bridge) {
  async function read(of: MaterialRef): Promise<Result<ShownPage, CallProblem>> {
    const [page, publishing, versions, fallbacks] = await Promise.all([
      bridge.call('pageSettings', of),
      bridge.call('sitePublishing', { site: of.site }),
      bridge.call('queryVersions', { ...of, offset: 0, limit: offeredVersions }),
      // Defaults are only placeholders: the form works without them.
      bridge.call('pageFallbacks', of).catch(() => fail({ code: 'unexpected' } as const)),
    ])
    if (!page.ok) return page
    if (!publishing.ok) return publishing
    return ok({
      page: page.value,
      publishing: publishing.value,
      versions: versions.rows,
      fallbacks: fallbacks.ok ? fallbacks.value : null,
    })
  }
  const chosen = createShown((of: MaterialRef) => viewOfCall(read(of)))
  onChange(bridge, ['materials', 'marks'], () => void chosen.getState().load())
  return chosen
}

export const [useSitePages, provideSitePages] = createStoreContext<SitePagesState>('pages')

export const [usePageRows, providePageRows] = createStoreContext<PagesState<SitePageRow>>('rows of pages')

export const [useChosenPage, provideChosenPage] = createStoreContext<Shown<MaterialRef, ShownPage>>('chosen page')
