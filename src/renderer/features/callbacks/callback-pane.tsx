import type { CallbackDetail } from '@galley/library/records'
import type { CallbackId } from '@galley/wire'
import { ClipboardCopy, FlaskConical, RotateCcw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Bar } from '../../ui/group.tsx'
import { useKept } from '../../ui/kept.ts'
import { Message } from '../../ui/message.tsx'
import { Pane, PaneBody } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import words from '../../ui/words.module.css'
import { Comparison } from './comparison.tsx'
import { useCallbackDetail, useDiagnosis, useReplay } from './detail-store.ts'
import { Findings } from './findings.tsx'
import { Overview } from './overview.tsx'
import type { Links } from './overview.tsx'
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
  const { view, show, load } = useDiagnosis()
  const isOutdated = useDiagnosis((state) => state.of !== id)
  useEffect(() => show(id), [show, id])
  if (isOutdated || view.kind === 'loading') return <Skeleton rows={3} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void load()} />
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
  const { of, view } = useCallbackDetail()
  const isShown = callbackId !== null && of === callbackId && view.kind === 'ready'
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

interface ReplayProps {
  readonly detail: CallbackDetail
  /** Asks for confirmation first. */
  readonly onReplay: () => void
}

/** The outcome a callback would have today, and the button that replays it. */
function Replay({ detail, onReplay }: ReplayProps) {
  const { t } = useTranslation(['replay', 'callbacks'])
  const { id, view, run } = useReplay()
  const { callback, canReplay, siteExists } = detail
  if (!canReplay) {
    return (
      <PaneBody>
        <p>{siteExists ? t('impossible.signature') : t('impossible.site')}</p>
      </PaneBody>
    )
  }
  const isThisCallback = id === callback.id
  return (
    <PaneBody>
      <p className={words.meta}>
        {t('intro')} {t('dryRunText')}
      </p>
      <Bar>
        <Button look="primary" icon={FlaskConical} onClick={() => void run(callback.id, true)}>
          {t('callbacks:actions.dryRun')}
        </Button>
        <Button icon={RotateCcw} onClick={onReplay}>
          {t('callbacks:actions.replay')}
        </Button>
      </Bar>
      {isThisCallback && view.kind === 'loading' && <p role="status">{t('running')}</p>}
      {isThisCallback && view.kind === 'failed' && view.problem !== null && (
        <ProblemLine problem={view.problem} role="alert" />
      )}
      {isThisCallback && view.kind === 'ready' && <Comparison comparison={view.items} />}
    </PaneBody>
  )
}

function Content(props: Props) {
  const { t } = useTranslation('callback')
  const { callbackId, onReplay, onDoctor } = props
  const { of, view, load } = useCallbackDetail()
  const [tab, setTab] = useKept('callbacks:tab', z.string(), 'steps')
  if (callbackId === null) return <Message text={t('noneSelected')} />
  if (of !== callbackId || view.kind === 'loading') return <Skeleton rows={5} />
  if (view.kind === 'failed') return <Failed text={t('detailFailed')} onRetry={() => void load()} />
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
