import type { CallbackRow } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { itemsOf } from '../../bridge/answers.ts'
import { useCommands } from '../../commands/commands.ts'
import { NameDialog } from '../../domain/name-dialog.tsx'
import { useBatch } from '../../features/callbacks/batch-store.ts'
import { FirstRun, TryItButton } from '../../features/first-run/first-run.tsx'
import { useFirstRun } from '../../features/first-run/store.ts'
import { AboutDialog, HelpDialog } from '../../features/help/help-dialog.tsx'
import { ReportDialog } from '../../features/help/report-dialog.tsx'
import { ListenerBanner } from '../../features/listener/listener-parts.tsx'
import { RefusedBanner } from '../../features/listener/refused-banner.tsx'
import { useListener } from '../../features/listener/store.ts'
import { MoveDialog } from '../../features/move/move-dialog.tsx'
import { Palette } from '../../features/palette/palette.tsx'
import { ShortcutSheet } from '../../features/sheet/shortcut-sheet.tsx'
import { NoSites, OtherSitesNotice, SiteDialogs, SiteNotice } from '../../features/sites/site-parts.tsx'
import { siteIn, useSites } from '../../features/sites/store.ts'
import { TaskDrawer } from '../../features/tasks/task-drawer.tsx'
import { useTeam } from '../../features/team/store.ts'
import { UnfinishedJoinPane } from '../../features/team/unfinished-join.tsx'
import { currentSite, useNavigation, currentView } from '../../navigation/navigation.ts'
import { initialTab } from '../../navigation/view.ts'
import { Announcer } from '../../ui/announcer.tsx'
import { Boundary } from '../../ui/boundary.tsx'
import { DensityContext } from '../../ui/density.ts'
import { useFocusGuards } from '../../ui/focus-guards.ts'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import { Split } from '../../ui/split.tsx'
import { ToastLayer } from '../../ui/toasts.tsx'
import { useAppearance } from '../state/appearance.ts'
import { useLayers } from '../state/layers.ts'
import { useLayout } from '../state/layout.ts'
import { useOpenProblems } from '../state/open-problems.ts'
import { usePaletteSources } from './palette-sources.ts'
import { ScreenArea } from './screen-area.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { StatusBar } from './status-bar.tsx'
import { TitleBar } from './title-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** Shows what a callback stored, or the callback if it stored nothing. */
function useShowSave(): (row: CallbackRow) => void {
  const go = useNavigation((state) => state.go)
  return ({ id, site, outcome, materialId }) =>
    go(
      outcome === 'stored' && materialId !== null
        ? { screen: 'materials', materialId }
        : { screen: 'delivery', callbackId: id },
      site,
    )
}

/** First-run setup, wired to the site form, the listener and the first material. */
function Welcome() {
  const sites = useSites()
  const site = siteIn(sites, useNavigation(currentSite))
  const go = useNavigation((state) => state.go)
  const showSave = useShowSave()
  const { state, start } = useListener()
  return (
    <FirstRun
      site={site}
      listener={state}
      onAddSite={() => sites.show({ kind: 'add' })}
      onEditSite={(shown) => sites.show({ kind: 'edit', site: shown })}
      onStartListener={() => void start()}
      onListenerSettings={() => go({ screen: 'settings', section: 'listener' })}
      onShowSave={showSave}
    />
  )
}

/** The window: title bar, sidebar, current screen, status bar, and overlays. */
export function Shell() {
  useShortcuts()
  useFocusGuards()
  const { isFolded, arrangement } = useLayout()
  const { density, isForDevelopers } = useAppearance()
  const listener = useListener(({ state }) => state)
  const showSave = useShowSave()
  const folded = isFolded || arrangement === 'single'
  return (
    <DensityContext value={density}>
      <ForDevelopersContext value={isForDevelopers}>
        <div className={styles.shell}>
          <TitleBar />
          <div className={styles.body}>
            {folded && <Sidebar isFolded />}
            <Split
              name="sidebar"
              sideAt="start"
              main={<Main />}
              side={folded ? null : <Sidebar isFolded={false} />}
              mainMin={360}
              sideSize={220}
              sideMin={160}
              sideMax={320}
            />
          </div>
          <StatusBar />
        </div>
        <SiteDialogs listenerUrl={listener?.kind === 'listening' ? listener.url : null} onShowSave={showSave} />
        <ShownLayer />
        <NameDialog />
        <ToastLayer />
        <Announcer />
      </ForDevelopersContext>
    </DensityContext>
  )
}

/** Everything beside the sidebar: listener and site warnings, then the screen. */
function Main() {
  const goToSection = useNavigation((state) => state.goToSection)
  const isOnDelivery = useNavigation((navigation) => currentView(navigation).screen === 'delivery')
  const site = useNavigation(currentSite)
  const affected = useOpenProblems((state) => state.problems.sites)
  const unfinished = useTeam((state) => state.unfinished)
  if (unfinished !== null) {
    return (
      <main className={styles.main}>
        <UnfinishedJoinPane unfinished={unfinished} />
      </main>
    )
  }
  return (
    <main className={styles.main}>
      <ListenerBanner onShowHealth={isOnDelivery ? null : () => goToSection('delivery')} />
      <RefusedBanner site={site} />
      <SiteNotice startSample={<TryItButton isAgain />} />
      {!isOnDelivery && <OtherSitesNotice affected={affected} onShowHealth={() => goToSection('delivery')} />}
      <Boundary>
        <Content />
      </Boundary>
    </main>
  )
}

/** The screen, or the first-run setup; Delivery and Settings need no site. */
function Content() {
  const isFirstRun = useFirstRun(({ phase }) => phase === 'shown')
  const { screen } = useNavigation(currentView)
  const site = useNavigation(currentSite)
  const hasNoSite = useSites(({ view }) => view.kind === 'ready' && view.items.length === 0)
  if (screen === 'delivery' || screen === 'settings') return <ScreenArea />
  if (isFirstRun) return <Welcome />
  if (hasNoSite) {
    return (
      <NoSites>
        <TryItButton />
      </NoSites>
    )
  }
  return site === null ? null : <ScreenArea />
}

/** The open window-level overlay, if any. */
function ShownLayer() {
  const { t } = useTranslation('app')
  const { shown, open, close } = useLayers()
  const goToSection = useNavigation((state) => state.goToSection)
  const showOutcome = useBatch((state) => state.showOutcome)
  const run = useCommands((state) => state.run)
  switch (shown) {
    case null:
      return null
    case 'palette':
      return <WindowPalette onClose={close} />
    case 'sheet':
      return <ShortcutSheet title={t('sheet.title')} onClose={close} />
    case 'help':
      return <HelpDialog onClose={close} onShortcuts={() => open('sheet')} onReport={() => open('report')} />
    case 'about':
      return (
        <AboutDialog
          onClose={close}
          onReport={() => open('report')}
          onUpdates={() => {
            close()
            run('settings.start')
          }}
        />
      )
    case 'move':
      return <Move onClose={close} />
    case 'report':
      return <ReportDialog onClose={close} />
    case 'tasks':
      return (
        <TaskDrawer
          onShowReplay={(comparisons) => {
            goToSection('delivery')
            showOutcome(comparisons)
          }}
          onClose={close}
        />
      )
  }
}

function Move({ onClose }: { readonly onClose: () => void }) {
  const { view, show } = useSites()
  const run = useCommands((state) => state.run)
  const go = useNavigation((state) => state.go)
  const leaving =
    <Given,>(act: (given: Given) => void) =>
    (given: Given): void => {
      onClose()
      act(given)
    }
  return (
    <MoveDialog
      sites={itemsOf(view)}
      onRun={leaving((id) => void run(id))}
      onEdit={leaving((site) => show({ kind: 'edit', site }))}
      onTry={leaving((site) => show({ kind: 'try', site }))}
      onTargets={leaving((site) => go(initialTab('targets'), site.id))}
      onClose={onClose}
    />
  )
}

function WindowPalette({ onClose }: { readonly onClose: () => void }) {
  return <Palette sources={usePaletteSources()} onClose={onClose} />
}
