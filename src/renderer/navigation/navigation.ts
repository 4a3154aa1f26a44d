import { z } from 'zod'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../context/provided.ts'
import { keep, readKept } from '../ui/kept.ts'
import { amended, historyAt, lastIn, placeNow, stepped, visited } from './history.ts'
import type { History, Place } from './history.ts'
import { entranceOf, viewSchema } from './view.ts'
import type { ScreenName, Section, View, ViewOf } from './view.ts'

export interface Navigation {
  readonly history: History
  /** Goes to a view of the site that is shown, or of another one. */
  go(view: View, site?: string): void
  /** Goes to a section as it was last left. */
  goToSection(section: Section): void
  /** Changes what is chosen in the view that is shown. */
  choose(view: View): void
  setSite(site: string | null): void
  back(): void
  forward(): void
}

const placeSchema = z.strictObject({ site: z.string().nullable(), view: viewSchema })
const start: Place = { site: null, view: entranceOf('materials') }

export type NavigationStore = StoreApi<Navigation>

/** Where the window is and was; the last place is there again after a restart. */
export function createNavigation(): NavigationStore {
  const navigation = createStore<Navigation>()((set, get) => {
    const change = (to: (history: History) => History): void => set({ history: to(get().history) })
    return {
      history: historyAt(readKept('place', placeSchema, start)),
      go: (view, site) => change((history) => visited(history, { site: site ?? placeNow(history).site, view })),
      goToSection: (section) =>
        change((history) => {
          const { site } = placeNow(history)
          return visited(history, { site, view: lastIn(history, site, section) })
        }),
      choose: (view) => change((history) => amended(history, view)),
      setSite: (site) =>
        change((history) => {
          const now = placeNow(history)
          if (now.site === site) return history
          // The first site that is known is where the window already is.
          if (now.site === null) return historyAt({ ...now, site })
          const section = now.view.screen === 'material' ? 'materials' : now.view.screen
          return visited(history, { site, view: lastIn(history, site, section) })
        }),
      back: () => change((history) => stepped(history, -1)),
      forward: () => change((history) => stepped(history, 1)),
    }
  })
  navigation.subscribe(({ history }) => keep('place', placeNow(history)))
  return navigation
}

/** The view that is shown. */
export const viewNow = ({ history }: Navigation): View => placeNow(history).view
/** The site that is shown; null before one is known, and where there is none. */
export const siteNow = ({ history }: Navigation): string | null => placeNow(history).site

/** Tells where the window is: now, and whenever that changes. */
export function follow(navigation: NavigationStore, tell: (site: string | null, view: View) => void): void {
  const told = (state: Navigation): void => tell(siteNow(state), viewNow(state))
  told(navigation.getState())
  navigation.subscribe(told)
}

/** The same while one of these screens is shown: what a screen reads is read when somebody comes to it, not before. */
export function followOn<Name extends ScreenName>(
  navigation: NavigationStore,
  screens: readonly Name[],
  tell: (site: string | null, view: ViewOf<Name>) => void,
): void {
  const isOneOf = (view: View): view is ViewOf<Name> => screens.some((screen) => screen === view.screen)
  follow(navigation, (site, view) => {
    if (isOneOf(view)) tell(site, view)
  })
}

export const [useNavigation, provideNavigation] = createStoreContext<Navigation>('navigation')
