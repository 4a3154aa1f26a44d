import type { CallbackRow } from '@galley/library/records'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { Meaning } from '../../domain/means.tsx'
import { useCallbackActions } from '../../features/callbacks/actions.ts'
import { BatchDialog } from '../../features/callbacks/batch-dialog.tsx'
import { useBatch } from '../../features/callbacks/batch-store.ts'
import { CallbackLog } from '../../features/callbacks/callback-log.tsx'
import { CallbackPane } from '../../features/callbacks/callback-pane.tsx'
import { useSharingToasts } from '../../features/callbacks/sharing.ts'
import { useCallbackList } from '../../features/callbacks/store.ts'
import { Doctor } from '../../features/callbacks/values-dialog.tsx'
import { HealthActions, HealthChecks } from '../../features/health/health-checks.tsx'
import type { HealthHandlers } from '../../features/health/line.tsx'
import { useHealth } from '../../features/health/store.ts'
import { useMaterials } from '../../features/materials/store.ts'
import { siteIn, useSites } from '../../features/sites/store.ts'
import { MessagesPane } from '../../features/webhook/messages-pane.tsx'
import { useWebhook } from '../../features/webhook/store.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Pane } from '../../ui/pane.tsx'
import { useMaterialActions } from './material-actions.ts'
import { useOpenInspector } from './open-inspector.ts'
import type { Part, Screen } from './screen.ts'

/** The context menu of a log row. */
function useLogMenu(explain: (code: string) => void): (row: CallbackRow) => readonly MenuItem[] {
  const { t } = useTranslation(['callbacks', 'help'])
  const keysOf = useShownKeys()
  const { replay, copyReport } = useCallbackActions()
  const ask = useCallbackList((state) => state.ask)
  const go = useNavigation((state) => state.go)
  return ({ id, site, materialId, materialTitle, versionId, code, outcome }) => [
    { key: 'dryRun', label: t('actions.dryRun'), keys: keysOf('callback.dryRun'), onSelect: () => replay(id, true) },
    { key: 'replay', label: t('actions.replay'), keys: keysOf('callback.replay'), onSelect: () => replay(id, false) },
    {
      key: 'copy',
      label: t('actions.copyReport'),
      keys: keysOf('callback.copyReport'),
      onSelect: () => copyReport(id),
    },
    ...(materialId === null
      ? []
      : [{ key: 'only', label: t('actions.onlyMaterial'), onSelect: () => ask({ materialId }) }]),
    ...(materialId === null || materialTitle === null
      ? []
      : [
          {
            key: 'material',
            label: t('actions.showMaterial'),
            onSelect: () => go({ screen: 'material', materialId, versionId }, site),
          },
        ]),
    {
      key: 'means',
      label: t('help:means'),
      icon: CircleHelp,
      onSelect: () => explain(code === null ? `outcome:${outcome}` : `callback:${code}`),
    },
  ]
}

function Log({ view }: Part<'delivery'>) {
  const { exportList, openDoctor } = useCallbackActions()
  const choose = useNavigation((state) => state.choose)
  const openInspector = useOpenInspector()
  const [explained, setExplained] = useState<string | null>(null)
  const menuOf = useLogMenu(setExplained)
  const { isListed, list } = useWebhook()
  useSharingToasts()
  if (isListed) return <MessagesPane onBack={() => list(false)} />
  return (
    <>
      <CallbackLog
        chosenId={view.callbackId}
        onChoose={(callbackId) => choose({ screen: 'delivery', callbackId })}
        onOpen={openInspector}
        onExport={exportList}
        onDoctor={openDoctor}
        onMessages={() => list(true)}
        menuOf={menuOf}
      />
      {explained !== null && <Meaning code={explained} onClose={() => setExplained(null)} />}
      <BatchDialog />
      <Doctor />
    </>
  )
}

/** The checks, with where each problem can be fixed. */
function Checks() {
  const sites = useSites()
  const site = siteIn(sites, useNavigation(currentSite))
  const go = useNavigation((state) => state.go)
  const run = useCommands((state) => state.run)
  const ask = useCallbackList((state) => state.ask)
  const listMessages = useWebhook((state) => state.list)
  const { checkSignature, dismissUnsigned } = useMaterialActions().saves
  const handlers: HealthHandlers = {
    toListenerSettings: () => go({ screen: 'settings', section: 'listener' }),
    toLibrarySettings: () => go({ screen: 'settings', section: 'library' }),
    toFailedSavesOf: (id) => {
      listMessages(false)
      go({ screen: 'delivery', callbackId: null }, id)
      ask({ outcomes: ['failed', 'interrupted', 'rejected'] })
    },
    toMessagesOf: (id) => {
      listMessages(true)
      go({ screen: 'delivery', callbackId: null }, id)
    },
    checkSignature: (id, callbackId) => checkSignature(callbackId, id),
    dismissUnsigned,
    confirmSite: (id) => void sites.confirm(id),
    enterSecret: (id) => {
      const site = siteIn(sites, id)
      if (site !== null) sites.show({ kind: 'edit', site })
    },
    toLog: () => void run('help.log'),
    toUpdates: () => void run('settings.start'),
    copyDiagnostics: () => void run('help.diagnostics'),
    editSite: () => {
      if (site !== null) sites.show({ kind: 'edit', site })
    },
  }
  return <HealthChecks site={site} handlers={handlers} />
}

/** Problems first, and the log of callbacks below. */
function DeliveryList({ view }: Part<'delivery'>) {
  const { t } = useTranslation('app')
  const hasSite = useNavigation(currentSite) !== null
  return (
    <Pane name="list" title={t('sections.delivery')} actions={<HealthActions />}>
      <Checks />
      {hasSite && <Log view={view} />}
    </Pane>
  )
}

function CallbackInspector({ view }: Part<'delivery'>) {
  const { copyReport, openDoctor } = useCallbackActions()
  const ask = useBatch((state) => state.ask)
  const run = useCommands((state) => state.run)
  const { setDialog: setMaterialDialog, edit } = useMaterials()
  const { material, saves } = useMaterialActions()
  const { go, goToSection, choose } = useNavigation()
  const showAll = useHealth((state) => state.showAll)
  const shownSite = useNavigation(currentSite)
  return (
    <CallbackPane
      callbackId={view.callbackId}
      onCopyReport={() => view.callbackId !== null && copyReport(view.callbackId)}
      onReplay={() => view.callbackId !== null && ask([view.callbackId], false)}
      onDoctor={openDoctor}
      onEditSite={(site) => {
        // When the log shows all sites, the callback may belong to another site than the current one.
        if (site !== shownSite) go(view, site)
        run('site.edit')
      }}
      onOpenUnknown={(site, materialId) => {
        go({ screen: 'materials', materialId: null }, site)
        setMaterialDialog({ kind: 'new', materialId })
      }}
      onHealth={() => showAll(true)}
      onSettings={() => goToSection('settings')}
      onOpenEditor={(site, materialId) => {
        go({ screen: 'materials', materialId }, site)
        void edit(materialId)
      }}
      onDismiss={() => view.callbackId !== null && material.dismissFailure(view.callbackId)}
      onUseHeader={() => view.callbackId !== null && saves.adoptHeader(view.callbackId)}
      onMaterial={(site, materialId, versionId) => go({ screen: 'material', materialId, versionId }, site)}
      onSnapshot={(site, snapshotId) => go({ screen: 'fonts', snapshotId }, site)}
      onCallback={(callbackId) => choose({ screen: 'delivery', callbackId })}
    />
  )
}

export const deliveryScreen: Screen<'delivery'> = { List: DeliveryList, Inspector: CallbackInspector }
