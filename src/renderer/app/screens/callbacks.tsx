import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'

import type { CallbackRow } from '../../../contract/ipc/callbacks.ts'
import type { KeysText } from '../../commands/shown-keys.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { createActivity } from '../../features/callbacks/activity-store.ts'
import { BatchDialog } from '../../features/callbacks/batch-dialog.tsx'
import type { BatchStore } from '../../features/callbacks/batch-store.ts'
import { CallbackPane } from '../../features/callbacks/callback-pane.tsx'
import { CallbacksPane } from '../../features/callbacks/callbacks-pane.tsx'
import { createDetail, createDiagnosis, createReplay } from '../../features/callbacks/detail-store.ts'
import { createSharing, useSharingToasts } from '../../features/callbacks/sharing.ts'
import { createCallbacks } from '../../features/callbacks/store.ts'
import { ValuesDialog } from '../../features/callbacks/values-dialog.tsx'
import { createSavedViews } from '../../stores/saved-views.ts'
import { followOn, siteNow } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../../domain/services.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { registerCallbackCommands } from './callback-commands.ts'
import { openInspector } from './open-inspector.ts'
import type { Part, Screen } from './screen.ts'

/** The callbacks of a site, live, and everything about the chosen one. */
export function createCallbacksScreen(services: Services, useBatch: BatchStore): Screen<'callbacks'> {
  const { useNavigation, useCommands, toasts } = services
  const bridge = whileShown(services.bridge, useNavigation, ['callbacks'])
  const { useList, usePages } = createCallbacks(bridge)
  const useActivity = createActivity(bridge, { useList })
  const useViews = createSavedViews(bridge, 'callbacks')
  const useDetail = createDetail(bridge)
  const useDiagnosis = createDiagnosis(bridge)
  const useReplay = createReplay(bridge)
  const useSharing = createSharing(services)
  const useDoctor = create(() => ({ isOpen: false }))

  followOn(useNavigation, ['callbacks'], (site, { callbackId }) => {
    if (site !== useList.getState().site) useBatch.getState().select(new Set())
    useList.getState().show(site)
    useViews.getState().show(site)
    useList.getState().hold(callbackId)
    if (callbackId !== null) useDetail.getState().show(callbackId)
  })
  const { go, choose, goToSection } = useNavigation.getState()
  const goToMaterial = (site: string, materialId: string, versionId: string | null): void =>
    go({ screen: 'material', materialId, versionId }, site)
  const chooseCallback = (callbackId: string): void => choose({ screen: 'callbacks', callbackId })
  const copyReport = (id: string): void => void useSharing.getState().copyReport(id)
  const exportList = (format: 'csv' | 'json'): void =>
    void useSharing.getState().exportList(useList.getState().filters(), format)
  const nameOf = (id: string): string | null => {
    const row = [...usePages.getState().rows.values()].find((other) => other.id === id)
    return row === undefined ? null : row.materialTitle || row.materialId
  }
  const openDoctor = (): void => useDoctor.setState({ isOpen: true })
  /** What is selected, or else the one callback. */
  const replay = (id: string, isDryRun: boolean): void => {
    const { selected, ask } = useBatch.getState()
    ask(selected.has(id) ? [...selected] : [id], isDryRun)
  }
  registerCallbackCommands(services, { useList }, { replay, copyReport, exportList, openDoctor })

  const menuOf = (row: CallbackRow, t: TFunction<'callbacks'>, keysOf: KeysText): readonly MenuItem[] => [
    {
      key: 'dryRun',
      label: t('actions.dryRun'),
      keys: keysOf('callback.dryRun'),
      onSelect: () => replay(row.id, true),
    },
    {
      key: 'replay',
      label: t('actions.replay'),
      keys: keysOf('callback.replay'),
      onSelect: () => replay(row.id, false),
    },
    {
      key: 'copy',
      label: t('actions.copyReport'),
      keys: keysOf('callback.copyReport'),
      onSelect: () => copyReport(row.id),
    },
    ...(row.materialId === null
      ? []
      : [
          {
            key: 'only',
            label: t('actions.onlyMaterial'),
            onSelect: () => useList.getState().ask({ materialId: row.materialId }),
          },
        ]),
    ...(row.materialId === null || row.materialTitle === null
      ? []
      : [
          {
            key: 'material',
            label: t('actions.showMaterial'),
            onSelect: () => goToMaterial(row.site, row.materialId ?? '', row.versionId),
          },
        ]),
  ]

  function Doctor() {
    const { view } = useDetail()
    const { isOpen } = useDoctor()
    const site = useNavigation(siteNow)
    const chosen = view.kind === 'ready' && view.items.siteExists ? view.items.callback : null
    const { materialId, contentUrl } = chosen ?? { materialId: null, contentUrl: null }
    if (!isOpen || site === null) return null
    return (
      <ValuesDialog
        bridge={bridge}
        site={chosen?.site ?? site}
        start={{ materialId: materialId ?? '', contentUrl: contentUrl ?? '' }}
        onClose={() => useDoctor.setState({ isOpen: false })}
      />
    )
  }

  return {
    List: function CallbackList({ view }: Part<'callbacks'>) {
      const { t } = useTranslation('callbacks')
      const keysOf = useShownKeys()
      useSharingToasts(useSharing, toasts)
      return (
        <>
          <CallbacksPane
            useList={useList}
            usePages={usePages}
            useActivity={useActivity}
            useViews={useViews}
            useBatch={useBatch}
            chosenId={view.callbackId}
            onChoose={chooseCallback}
            onOpen={() => openInspector(services)}
            onExport={exportList}
            onDoctor={openDoctor}
            menuOf={(row) => menuOf(row, t, keysOf)}
          />
          <BatchDialog useBatch={useBatch} nameOf={nameOf} />
          <Doctor />
        </>
      )
    },
    Inspector: ({ view }: Part<'callbacks'>) => (
      <CallbackPane
        callbackId={view.callbackId}
        useDetail={useDetail}
        useDiagnosis={useDiagnosis}
        useReplay={useReplay}
        onCopyReport={() => view.callbackId !== null && copyReport(view.callbackId)}
        onReplay={() => view.callbackId !== null && useBatch.getState().ask([view.callbackId], false)}
        onDoctor={openDoctor}
        onEditSite={(site) => {
          // Of all sites, it may be another one than the window shows.
          if (site !== siteNow(useNavigation.getState())) go(view, site)
          useCommands.getState().run('site.edit')
        }}
        onHealth={() => goToSection('health')}
        onSettings={() => goToSection('settings')}
        onMaterial={goToMaterial}
        onSnapshot={(site, snapshotId) => go({ screen: 'fonts', snapshotId }, site)}
        onCallback={chooseCallback}
      />
    ),
  }
}
