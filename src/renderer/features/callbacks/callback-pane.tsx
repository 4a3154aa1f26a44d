import type { CallbackId } from '@galley/wire'
import { ClipboardCopy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { useKept } from '../../ui/kept.ts'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useCallbackDetail } from './detail-store.ts'
import { Overview } from './overview.tsx'
import type { Links } from './overview.tsx'
import { Replay } from './replay.tsx'
import { Request } from './request.tsx'
import { Signature } from './signature.tsx'
import { Verdict } from './verdict.tsx'
import type { FixActions } from './verdict.tsx'

interface Props extends Links, Omit<FixActions, 'onCheckSignature'> {
  readonly callbackId: CallbackId | null
  readonly onCopyReport: () => void
  readonly onReplay: () => void
  readonly onDoctor: () => void
}

/** One callback: its outcome, then steps, request, signature and replay. */
export function CallbackPane(props: Props) {
  const { t } = useTranslation(['callback', 'callbacks'])
  const { callbackId, onCopyReport } = props
  const { id, view } = useCallbackDetail()
  const isShown = callbackId !== null && id === callbackId && view.kind === 'ready'
  const { materialTitle, materialId } = isShown ? view.items.row : { materialTitle: null, materialId: null }
  return (
    <Pane
      name="inspector"
      level={2}
      title={(materialTitle || materialId) ?? t('detail')}
      actions={
        isShown && (
          <KeyedButton look="quiet" icon={ClipboardCopy} command="callback.copyReport" onClick={onCopyReport}>
            {t('callbacks:actions.copyReport')}
          </KeyedButton>
        )
      }
    >
      <Content {...props} />
    </Pane>
  )
}

function Content(props: Props) {
  const { t } = useTranslation('callback')
  const { callbackId, onReplay, onDoctor } = props
  const { id, view, retry } = useCallbackDetail()
  const [tab, setTab] = useKept('callbacks:tab', z.string(), 'steps')
  if (callbackId === null) return <Message text={t('noneSelected')} />
  if (id !== callbackId || view.kind === 'loading') return <Skeleton rows={5} />
  if (view.kind === 'failed') return <Failed text={t('detailFailed')} onRetry={retry} />
  const detail = view.items
  return (
    <>
      <Verdict
        detail={detail}
        onEditSite={props.onEditSite}
        onOpenUnknown={props.onOpenUnknown}
        onCheckSignature={() => setTab('signature')}
        onHealth={props.onHealth}
        onSettings={props.onSettings}
        onOpenEditor={props.onOpenEditor}
        onDismiss={props.onDismiss}
        onUseHeader={props.onUseHeader}
      />
      <Tabs
        label={t('detail')}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            key: 'steps',
            title: t('tabs.steps'),
            panel: () => (
              <Overview
                detail={detail}
                onMaterial={props.onMaterial}
                onSnapshot={props.onSnapshot}
                onCallback={props.onCallback}
              />
            ),
          },
          { key: 'request', title: t('tabs.request'), panel: () => <Request request={detail.request} /> },
          {
            key: 'signature',
            title: t('tabs.signature'),
            panel: () => <Signature id={callbackId} onDoctor={onDoctor} />,
          },
          {
            key: 'replay',
            title: t('tabs.replay'),
            panel: () => <Replay detail={detail} onReplay={onReplay} />,
          },
        ]}
      />
    </>
  )
}
