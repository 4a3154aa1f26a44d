import { useTranslation } from 'react-i18next'

import { TryItButton } from '../../features/first-run/first-run.tsx'
import { AboutDialog, HelpDialog } from '../../features/help/help-dialog.tsx'
import { ListenerBanner } from '../../features/listener/listener-parts.tsx'
import { RefusedBanner } from '../../features/listener/refused-banner.tsx'
import { Palette } from '../../features/palette/palette.tsx'
import { ShortcutSheet } from '../../features/sheet/shortcut-sheet.tsx'
import { NoSites, SiteDialogs, SiteNotice } from '../../features/sites/site-parts.tsx'
import { TaskDrawer } from '../../features/tasks/task-drawer.tsx'
import { siteNow, viewNow } from '../../navigation/navigation.ts'
import { Announcer } from '../../ui/announcer.tsx'
import { Boundary } from '../../ui/boundary.tsx'
import { DensityContext } from '../../ui/density.ts'
import { useFocusGuards } from '../../ui/focus-guards.ts'
import { Split } from '../../ui/split.tsx'
import { ToastLayer } from '../../ui/toasts.tsx'
import { usePaletteSources } from './palette-sources.ts'
import { ScreenArea } from './screen-area.tsx'
import { Sidebar } from './sidebar.tsx'
import { StatusBar } from './status-bar.tsx'
import type { Stores } from '../stores.ts'
import { TitleBar } from './title-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { Welcome } from './welcome.tsx'
import styles from './shell.module.css'

/** The window: title bar, sidebar, the shown screen, status bar, and the layers above them. */
export function Shell({ stores }: { readonly stores: Stores }) {
  const { useLayout, useNavigation, useSites, useAppearance, useListener, useLayers } = stores
  useShortcuts(stores)
  useFocusGuards()
  const { t } = useTranslation('app')
  const { isFolded, room } = useLayout()
  const density = useAppearance((state) => state.density)
  const layers = useLayers()
  const listener = useListener(({ state }) => state)
  const isOnHealth = useNavigation((navigation) => viewNow(navigation).screen === 'health')

  const main = (
    <main className={styles.main}>
      <ListenerBanner
        useListener={useListener}
        onShowHealth={isOnHealth ? null : () => useNavigation.getState().goToSection('health')}
      />
      <RefusedBanner usePauses={stores.usePauses} site={useNavigation(siteNow)} />
      <SiteNotice
        useSites={useSites}
        useNavigation={useNavigation}
        startSample={<TryItButton useFirstRun={stores.useFirstRun} isAgain />}
      />
      <Boundary>
        <Content stores={stores} />
      </Boundary>
    </main>
  )
  const folded = isFolded || room === 'single'
  return (
    <DensityContext value={density}>
      <div className={styles.shell}>
        <TitleBar stores={stores} />
        <div className={styles.body}>
          {folded && <Sidebar stores={stores} isFolded />}
          <Split
            name="sidebar"
            sideAt="start"
            main={main}
            side={folded ? null : <Sidebar stores={stores} isFolded={false} />}
            mainMin={360}
            sideSize={220}
            sideMin={160}
            sideMax={320}
          />
        </div>
        <StatusBar stores={stores} />
      </div>
      <SiteDialogs useSites={useSites} listenerUrl={listener?.kind === 'listening' ? listener.url : null} />
      {layers.shown === 'palette' && <WindowPalette stores={stores} />}
      {layers.shown === 'sheet' && (
        <ShortcutSheet
          useCommands={stores.useCommands}
          bridge={stores.bridge}
          title={t('sheet.title')}
          onClose={layers.close}
        />
      )}
      {layers.shown === 'help' && (
        <HelpDialog bridge={stores.bridge} onClose={layers.close} onShortcuts={() => layers.open('sheet')} />
      )}
      {layers.shown === 'about' && (
        <AboutDialog
          bridge={stores.bridge}
          onClose={layers.close}
          onDiagnostics={() => stores.useCommands.getState().run('help.diagnostics')}
        />
      )}
      {layers.shown === 'tasks' && (
        <TaskDrawer
          services={stores.services}
          useTasks={stores.useTasks}
          onShowReplay={(comparisons) => {
            useNavigation.getState().goToSection('callbacks')
            stores.useBatch.getState().showOutcome(comparisons)
          }}
          onClose={layers.close}
        />
      )}
      <ToastLayer toasts={stores.toasts} />
      <Announcer useAnnouncements={stores.useAnnouncements} />
    </DensityContext>
  )
}

function WindowPalette({ stores }: { readonly stores: Stores }) {
  return <Palette sources={usePaletteSources(stores)} onClose={stores.useLayers.getState().close} />
}

/** What stands beside the sidebar: the screen, or what leads to a first site; Health and Settings need none. */
function Content({ stores }: { readonly stores: Stores }) {
  const { useFirstRun, useNavigation, useSites } = stores
  const isWelcoming = useFirstRun(({ phase }) => phase === 'shown')
  const { screen } = useNavigation(viewNow)
  const site = useNavigation(siteNow)
  const hasNoSite = useSites(({ view }) => view.kind === 'ready' && view.items.length === 0)
  if (screen === 'health' || screen === 'settings') return <ScreenArea stores={stores} />
  if (isWelcoming) return <Welcome stores={stores} />
  if (hasNoSite) {
    return (
      <NoSites useSites={useSites}>
        <TryItButton useFirstRun={useFirstRun} />
      </NoSites>
    )
  }
  return site === null ? null : <ScreenArea stores={stores} />
}
