import type { CallbackId } from '@galley/wire'
import { ClipboardCopy } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { useKept } from '../../ui/kept.ts'
import { Message } from '../../ui/message.tsx'
import { Pane, PaneBody } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useCallbackDetail, useDiagnosis } from './detail-store.ts'
import { Findings } from './findings.tsx'
import { Overview } from './overview.tsx'
import type { Links } from './overview.tsx'
import { Replay } from './replay.tsx'
import { Request } from './request.tsx'
import { Verdict } from './verdict.tsx'
import type { FixActions } from './verdict.tsx'

interface SignatureProps {
  readonly id: string
  readonly onDoctor: () => void
}

/** The signature of a callback, checked against every secret of the library. */
function Signature({ id, onDoctor }: SignatureProps) {
  const { t } = useTranslation(['doctor', 'callbacks'])
  const { view, show, retry } = useDiagnosis()
  const isOutdated = useDiagnosis((state) => state.id !== id)
  useEffect(() => show(id), [show, id])
  if (isOutdated || view.kind === 'loading') return <Skeleton rows={3} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={retry} />
  return (
    <PaneBody>
      <Findings diagnosis={view.items} />
      <div>
        <Button onClick={onDoctor}>{t('callbacks:actions.doctor')}</Button>
      </div>
    </PaneBody>
  )
}

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
          {
            key: 'request',
            title: t('tabs.request'),
            isForDevelopers: true,
            panel: () => <Request request={detail.request} />,
          },
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
