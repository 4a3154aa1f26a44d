import type { SiteId } from '@galley/wire'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { TargetRow } from '../../../ipc/publishing.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useCommands } from '../../commands/commands.ts'
import { KeyedButton } from '../../commands/keyed-button.tsx'
import { useSucceeded } from '../../domain/call-toasts.ts'
import { CheckDialog } from '../../features/publish/check-dialog.tsx'
import { RemoveTargetDialog } from '../../features/publish/remove-dialog.tsx'
import { RunDialog } from '../../features/publish/run-dialog.tsx'
import { useRun } from '../../features/publish/run.ts'
import { targetIn, useTargets } from '../../features/publish/store.ts'
import { TargetDetail, useTargetMenu } from '../../features/publish/target-detail.tsx'
import type { TargetActions } from '../../features/publish/target-detail.tsx'
import { TargetDialog } from '../../features/publish/target-dialog.tsx'
import { TargetsList } from '../../features/publish/targets-list.tsx'
import { siteIn, useSites } from '../../features/sites/store.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { initialTab } from '../../navigation/view.ts'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useOpenInspector } from './open-inspector.ts'
import type { PublishTabParts } from './publish-tab.ts'
import type { Part } from './screen.ts'

/** Opens what readers of a target see, or says in a toast why not. */
function useOpenTarget(): (site: SiteId, target: string) => void {
  const { t } = useTranslation('publish')
  const bridge = useBridge()
  const succeeded = useSucceeded()
  return (site, target) =>
    void catchUnexpected(bridge.call('openTarget', { site, target })).then((opened) =>
      succeeded(t('notOpened'), opened),
    )
}

function useTargetActions(): (target: TargetRow) => TargetActions {
  const run = useCommands((state) => state.run)
  const open = useTargets((state) => state.open)
  const openRun = useRun((state) => state.open)
  const openTarget = useOpenTarget()
  return (target) => {
    const { site, name, isConfirmed, current } = target
    return {
      onPublish: () => isConfirmed && openRun({ site, target: name, release: null }),
      onPreview: () => void run('publish.preview'),
      onRollBack: (release) => openRun({ site, target: name, release }),
      onOpen: () => openTarget(site, name),
      onCheck: () => open({ kind: 'check', target }),
      onRepair:
        current?.isKept === true ? () => openRun({ site, target: name, release: current, isRepair: true }) : null,
      onEdit: () => open({ kind: 'edit', target }),
      onRemove: () => open({ kind: 'remove', target }),
    }
  }
}

function List({ view }: Part<'publish'>) {
  const choose = useNavigation((state) => state.choose)
  const openInspector = useOpenInspector()
  const menuOf = useTargetMenu()
  const actionsOf = useTargetActions()
  return (
    <>
      <TargetsList
        chosenName={view.itemId}
        onChoose={(itemId) => choose({ ...view, itemId })}
        onOpen={openInspector}
        menuOf={(target) => menuOf(target, actionsOf(target))}
      />
      <Dialogs />
    </>
  )
}

function Dialogs() {
  const { site, dialog, open } = useTargets()
  const choose = useNavigation((state) => state.choose)
  const openTarget = useOpenTarget()
  const sites = useSites()
  const close = (): void => open({ kind: 'closed' })
  return (
    <>
      {site !== null && (dialog.kind === 'add' || dialog.kind === 'edit') && (
        <TargetDialog
          site={dialog.kind === 'edit' ? dialog.target.site : site}
          target={dialog.kind === 'edit' ? dialog.target : null}
          onClose={close}
          onSaved={(name) => {
            close()
            choose({ ...initialTab('targets'), itemId: name })
          }}
        />
      )}
      {dialog.kind === 'remove' && <RemoveTargetDialog target={dialog.target} onClose={close} />}
      {dialog.kind === 'check' && <CheckDialog target={dialog.target} onClose={close} />}
      <RunDialog siteName={siteIn(sites, site)?.name ?? ''} onOpenTarget={openTarget} />
    </>
  )
}

function Actions() {
  const { t } = useTranslation('publish')
  const run = useCommands((state) => state.run)
  const site = useNavigation(currentSite)
  return (
    site !== null && (
      <KeyedButton icon={Plus} command="publish.newTarget" onClick={() => void run('publish.newTarget')}>
        {t('commands.newTarget')}
      </KeyedButton>
    )
  )
}

function Inspector({ view }: Part<'publish'>) {
  const { t } = useTranslation('publish')
  const targets = useTargets()
  const actionsOf = useTargetActions()
  const target = targetIn(targets, view.itemId)
  return (
    <Pane name="inspector" level={2} title={target?.name ?? t('detail')}>
      {target !== null && <TargetDetail target={target} actions={actionsOf(target)} />}
      {target === null && targets.view.kind === 'loading' && view.itemId !== null && <Skeleton rows={4} />}
      {target === null && (targets.view.kind !== 'loading' || view.itemId === null) && (
        <Message text={t('noneSelected')} />
      )}
    </Pane>
  )
}

export const targetsTab: PublishTabParts = { List, Actions, Inspector }
