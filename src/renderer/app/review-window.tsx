import { keyOf } from '@galley/look'
import type { i18n } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { Bridge } from '../../ipc/calls.ts'
import type { OpenedReview } from '../../ipc/review.ts'
import { provideBridge, useBridge } from '../bridge/use-bridge.ts'
import { createCommands, provideCommands } from '../commands/commands.ts'
import type { Command } from '../commands/commands.ts'
import type { Provide } from '../context/provided.ts'
import { createComments, provideComments } from '../domain/comments.ts'
import { GoBackDialog } from '../domain/go-back-dialog.tsx'
import { createGoingBack, provideGoingBack, useGoingBack } from '../domain/going-back.ts'
import { NameDialog } from '../domain/name-dialog.tsx'
import { createPersonName, providePersonName } from '../domain/person-name.ts'
import { Desk } from '../features/review/desk.tsx'
import { createReviewStores } from '../features/review/stores.ts'
import { ShortcutSheet } from '../features/sheet/shortcut-sheet.tsx'
import { createNavigation, provideNavigation } from '../navigation/navigation.ts'
import { createDrafts, provideDrafts } from '../stores/drafts.ts'
import { Announcer, createAnnouncements, provideAnnouncements } from '../ui/announcer.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { DensityContext } from '../ui/density.ts'
import { useFocusGuards } from '../ui/focus-guards.ts'
import { ForDevelopersContext } from '../ui/for-developers.ts'
import { cyclePanes } from '../ui/panes.ts'
import { createToasts, provideToasts, ToastLayer } from '../ui/toasts.tsx'
import styles from './frame/shell.module.css'
import { useShortcuts } from './frame/use-shortcuts.ts'
import { createAppearance, provideAppearance, useAppearance } from './state/appearance.ts'
import { createLayers, provideLayers, useLayers } from './state/layers.ts'
import type { Layers } from './state/layers.ts'

/** The stores of a review window, which has the desk alone: its list is the versions of one material. */
export function createReviewWindow(bridge: Bridge, texts: i18n, opened: OpenedReview): readonly Provide[] {
  const name = createPersonName(bridge)
  const navigation = createNavigation({ site: opened.site, view: { screen: 'review' } })
  const commands = createCommands()
  const toasts = createToasts()
  const layers = createLayers()
  const services = { bridge: name.signed, texts, navigation, commands, toasts, named: name.named }
  const { provided } = createReviewStores(services, opened)
  commands.getState().register(ownCommands(layers.getState()))
  return [
    provideBridge(name.signed),
    providePersonName(name.store),
    provideNavigation(navigation),
    provideCommands(commands),
    provideToasts(toasts),
    provideAnnouncements(createAnnouncements()),
    provideLayers(layers),
    provideAppearance(createAppearance(bridge, texts, commands)),
    provideComments(createComments(name.signed)),
    provideGoingBack(createGoingBack()),
    provideDrafts(createDrafts()),
    ...provided,
  ]
}

const ownCommands = ({ open }: Layers): readonly Command[] => [
  { id: 'sheet.open', group: 'general', title: (t) => t('app:commands.shortcuts'), run: () => open('sheet') },
  { id: 'pane.next', group: 'view', title: (t) => t('app:commands.nextPane'), run: () => cyclePanes(1) },
  { id: 'pane.previous', group: 'view', title: (t) => t('app:commands.previousPane'), run: () => cyclePanes(-1) },
]

/** A review window: the desk, with its dialogs. */
export function ReviewWindow() {
  const { t } = useTranslation('app')
  useShortcuts()
  useFocusGuards()
  useClosingKey()
  const { density, isForDevelopers } = useAppearance()
  const { shown, close } = useLayers()
  const bridge = useBridge()
  const { wanted, ask } = useGoingBack()
  return (
    <DensityContext value={density}>
      <ForDevelopersContext value={isForDevelopers}>
        <main className={styles.shell}>
          <Boundary>
            <Desk />
          </Boundary>
        </main>
        {shown === 'sheet' && <ShortcutSheet title={t('sheet.title')} onClose={close} />}
        {wanted !== null && (
          <GoBackDialog
            version={wanted}
            onFiles={() => void bridge.call('exportVersion', wanted)}
            onClose={() => ask(null)}
          />
        )}
        <NameDialog />
        <ToastLayer />
        <Announcer />
      </ForDevelopersContext>
    </DensityContext>
  )
}

/** Closes the window by the key that the menu has in the main window. */
function useClosingKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && keyOf(event).toLowerCase() === 'w') window.close()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
