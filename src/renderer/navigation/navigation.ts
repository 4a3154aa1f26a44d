import type { Section } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { z } from 'zod'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../context/provided.ts'
import { keep, readKept } from '../ui/kept.ts'
import { atList, withSelection, historyAt, lastIn, lastOfTab, currentEntry, stepped, visited } from './history.ts'
import type { History, HistoryEntry } from './history.ts'
import { initialViewOf, viewSchema, sectionOf } from './view.ts'
import type { PublishTab, ScreenName, View, ViewOf } from './view.ts'

export interface Navigation {
  readonly history: History
  /** Goes to a view of the current site, or of another one. */
  go(view: View, site?: SiteId): void
  /** Goes to the last view of a section; from one of its own views to its list, which is no step for `back`. */
  goToSection(section: Section): void
  /** Goes to the last view of a tab of the publish section. */
  goToTab(tab: PublishTab): void
  /** Changes the selection in the current view. */
  choose(view: View): void
  setSite(site: SiteId | null): void
  back(): void
  forward(): void
}

const entrySchema = z.strictObject({ site: z.string().nullable(), view: viewSchema })
const start: HistoryEntry = { site: null, view: initialViewOf('materials') }

export type NavigationStore = StoreApi<Navigation>

/** The window's history; the last location is restored after a restart, unless the window has one place alone. */
export function createNavigation(only: HistoryEntry | null = null): NavigationStore {
  const navigation = createStore<Navigation>()((set, get) => {
    const change = (to: (history: History) => History): void => set({ history: to(get().history) })
    return {
      history: historyAt(only ?? readKept('location', entrySchema, start)),
      go: (view, site) => change((history) => visited(history, { site: site ?? currentEntry(history).site, view })),
      goToSection: (section) =>
        change((history) => {
          const { site, view } = currentEntry(history)
          return sectionOf(view) === section
            ? atList(history)
            : visited(history, { site, view: lastIn(history, site, section) })
        }),
      goToTab: (tab) =>
        change((history) => {
          const { site } = currentEntry(history)
          return visited(history, { site, view: lastOfTab(history, site, tab) })
        }),
      choose: (view) => change((history) => withSelection(history, view)),
      setSite: (site) =>
        change((history) => {
          const now = currentEntry(history)
          if (now.site === site) return history
          // The first known site belongs to the current location, not to a new one.
          if (now.site === null) return historyAt({ ...now, site })
          const { view } = now
          const next =
            view.screen === 'publish' ? lastOfTab(history, site, view.tab) : lastIn(history, site, sectionOf(view))
          return visited(history, { site, view: next })
        }),
      back: () => change((history) => stepped(history, -1)),
      forward: () => change((history) => stepped(history, 1)),
    }
  })
  if (only === null) navigation.subscribe(({ history }) => keep('location', currentEntry(history)))
  return navigation
}

export const currentView = ({ history }: Navigation): View => currentEntry(history).view
/** The current site; null before sites are loaded, or if there is none. */
export const currentSite = ({ history }: Navigation): string | null => currentEntry(history).site

/** Calls `tell` with the current location, now and after every change. */
export function follow(navigation: NavigationStore, tell: (site: SiteId | null, view: View) => void): void {
  const update = (state: Navigation): void => tell(currentSite(state), currentView(state))
  update(navigation.getState())
  navigation.subscribe(update)
}

/** Like `follow`, but only while one of these screens is shown: screens load lazily, on activation. */
export function followOn<Name extends ScreenName>(
  navigation: NavigationStore,
  screens: readonly Name[],
  tell: (site: SiteId | null, view: ViewOf<Name>) => void,
): void {
  const isOneOf = (view: View): view is ViewOf<Name> => screens.some((screen) => screen === view.screen)
  follow(navigation, (site, view) => {
    if (isOneOf(view)) tell(site, view)
  })
}

export const [useNavigation, provideNavigation] = createStoreContext<Navigation>('navigation')
