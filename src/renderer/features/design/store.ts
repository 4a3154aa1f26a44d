import type { SitePublishing } from '@galley/library/records'
import type { Result, SiteId } from '@galley/wire'
import { fail } from '@galley/wire'
import { createStore } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { PublishingChanges } from '../../../ipc/pages.ts'
import type { ThemeView } from '../../../ipc/themes.ts'
import { catchUnexpected, viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'

type Outcome = Promise<Result<unknown, CallProblem>>

export interface DesignState {
  readonly site: SiteId | null
  readonly publishing: View<SitePublishing>
  readonly themes: View<readonly ThemeView[]>
  load(): Promise<void>
  /** Needed because theme folders change without a push. */
  loadThemes(): Promise<void>
  show(site: SiteId | null): void
  save(changes: PublishingChanges): Outcome
  chooseFolder(): Outcome
  chooseTheme(theme: string): Outcome
}

/** The publishing settings of a site: theme, texts, menu and custom markup. */
function createDesign(bridge: Bridge) {
  /** Loads the data of the shown site; answers for a previous one are dropped. */
  const reader = <Items>(
    read: (site: SiteId) => Promise<Result<Items, CallProblem>>,
    put: (view: View<Items>) => void,
  ) =>
    oneAtATime(async () => {
      const { site } = design.getState()
      if (site === null) return
      const view = await viewOf(read(site))
      if (design.getState().site !== site) return
      if (view.kind !== 'ready') put(view)
      else
        put(
          view.items.ok ? { kind: 'ready', items: view.items.value } : { kind: 'failed', problem: view.items.failure },
        )
    })
  const design = createStore<DesignState>()((set, get) => {
    const changed = async (run: (site: SiteId) => Outcome, isOfTheme: boolean): Outcome => {
      const { site } = get()
      if (site === null) return fail({ code: 'unknown_site' })
      const done = await catchUnexpected(run(site))
      await Promise.all([get().load(), ...(isOfTheme ? [get().loadThemes()] : [])])
      return done
    }
    return {
      site: null,
      publishing: { kind: 'loading' },
      themes: { kind: 'loading' },
      load: reader(
        (site) => bridge.call('sitePublishing', { site }),
        (publishing) => set({ publishing }),
      ),
      loadThemes: reader(
        (site) => bridge.call('listThemes', { site }),
        (themes) => set({ themes }),
      ),
      show: (site) => {
        if (site === get().site) return
        set({ site, publishing: { kind: 'loading' }, themes: { kind: 'loading' } })
        void get().load()
        void get().loadThemes()
      },
      save: (changes) =>
        changed((site) => bridge.call('saveSitePublishing', { site, changes }), changes.themeSettings !== undefined),
      chooseFolder: () => changed((site) => bridge.call('chooseThemeFolder', { site }), true),
      chooseTheme: (theme) => changed((site) => bridge.call('useTheme', { site, theme }), true),
    }
  })
  onChange(bridge, ['materials', 'targets'], () => void design.getState().load())
  return design
}

const [useDesign, provideDesign] = createStoreContext<DesignState>('design')
export { useDesign }

/** The design of a site. */
export function createDesignStores(services: Services): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const { navigation } = services
  const design = createDesign(whileShown(services.bridge, navigation, ['publish']))
  followOn(navigation, ['publish'], (site, { tab }) => {
    if (tab === 'design') design.getState().show(site)
  })
  return {
    provided: [provideDesign(design)],
    load: async () => {
      await Promise.all([design.getState().load(), design.getState().loadThemes()])
    },
  }
}
