import { Fragment, useRef } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import type { SiteId } from '../../../contract/ids.ts'
import type { PublishReport } from '../../../contract/ipc/publishing.ts'
import { Findings } from '../../domain/findings.tsx'
import { LeftOutList } from '../../domain/left-out.tsx'
import { PlanView } from '../../domain/plan-view.tsx'
import { TaskProgressView } from '../../domain/task-progress.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import { useRun } from './run.ts'
import type { RunState } from './run.ts'
import { targetIn, useTargets } from './store.ts'
import { opening } from './target-state.ts'

interface Props {
  readonly onOpenTarget: (site: SiteId, target: string) => void
}

/** Publishes a site: shows the plan, the progress and the result. Rolls back after a confirmation. */
export function RunDialog({ onOpenTarget }: Props) {
  const { t } = useTranslation(['publish', 'ui'])
  const state = useRun()
  const problemText = useProblemText()
  const cancel = useRef<HTMLButtonElement>(null)
  const { site, target, stage } = state
  if (stage.kind === 'closed') return null
  const submit = (): void => {
    if (stage.kind === 'asking' || stage.kind === 'planned') void state.publish()
    else if (stage.kind === 'failed') void (state.release === null ? state.plan() : state.publish())
    else if (stage.kind === 'done') onOpenTarget(site, target)
  }
  return (
    <Dialog
      key={stage.kind === 'asking' ? 'question' : 'run'}
      title={
        stage.kind === 'asking' ? t('rollingBack.title', { name: target }) : t(`running.${titleOf(state)}`, { target })
      }
      size={stage.kind === 'asking' ? 'small' : 'large'}
      initialFocus={stage.kind === 'asking' ? cancel : undefined}
      onClose={state.close}
    >
      <DialogForm onSubmit={submit} actions={<Actions state={state} cancelRef={cancel} />}>
        {stage.kind === 'asking' && <Question state={state} />}
        {(stage.kind === 'planning' || stage.kind === 'publishing') && (
          <TaskProgressView {...stage} note={t('safeToCancel')} />
        )}
        {stage.kind === 'planned' && (
          <>
            <p className={words.explanation}>{t('planned')}</p>
            <PlanView site={site} plan={stage.plan} />
          </>
        )}
        {stage.kind === 'failed' && (
          <Banner
            tone={stage.problem.code === 'cancelled' ? 'info' : 'danger'}
            text={stage.problem.code === 'cancelled' ? t('cancelled') : problemText(stage.problem)}
          />
        )}
        {stage.kind === 'done' && <Done report={stage.report} />}
      </DialogForm>
    </Dialog>
  )
}

function titleOf({ stage, release }: RunState) {
  switch (stage.kind) {
    case 'closed':
    case 'asking':
    case 'planning':
      return 'planning'
    case 'planned':
      return 'planned'
    case 'publishing':
      return release === null ? 'publishing' : 'rollingBack'
    case 'done':
      return release === null ? 'done' : 'rolledBack'
    case 'failed':
      return 'failed'
  }
}

/** What readers will see after a rollback. */
function Question({ state: { release } }: { readonly state: RunState }) {
  const { t } = useTranslation('publish')
  const formats = useFormats()
  if (release === null) return null
  return (
    <>
      <p>{t('rollingBack.text', { at: formats.exact(release.at) })}</p>
      <p className={words.meta}>{t('rollingBack.pages', { count: release.pages.all })}</p>
    </>
  )
}

interface ActionsProps {
  readonly state: RunState
  readonly cancelRef: RefObject<HTMLButtonElement | null>
}

/** Each stage has its own buttons; the primary one comes first for the keyboard. */
function Actions({ state, cancelRef }: ActionsProps) {
  const { t } = useTranslation(['publish', 'exports', 'ui'])
  const { stage, close, cancel } = state
  const published = targetIn(useTargets(), state.target)
  const opens = published && opening(published)
  switch (stage.kind) {
    case 'closed':
      return null
    case 'asking':
      return (
        <Fragment key="asking">
          <Button ref={cancelRef} onClick={close}>
            {t('ui:cancel')}
          </Button>
          <Button look="danger" type="submit">
            {t('rollingBack.confirm')}
          </Button>
        </Fragment>
      )
    case 'planning':
    case 'publishing':
      return (
        <Fragment key={stage.kind}>
          {stage.kind === 'publishing' && (
            <Button look="quiet" onClick={close}>
              {t('exports:inBackground')}
            </Button>
          )}
          <Button autoFocus aria-disabled={stage.isCancelling} onClick={cancel}>
            {t('ui:cancel')}
          </Button>
        </Fragment>
      )
    case 'planned':
      return (
        <Fragment key="planned">
          <Button onClick={close}>{t('ui:cancel')}</Button>
          <Button look="primary" type="submit" autoFocus>
            {t('write')}
          </Button>
        </Fragment>
      )
    case 'failed':
      return (
        <Fragment key="failed">
          <Button onClick={close}>{t('ui:close')}</Button>
          <Button look="primary" type="submit" autoFocus>
            {t('ui:retry')}
          </Button>
        </Fragment>
      )
    case 'done':
      return (
        <Fragment key="done">
          <Button autoFocus={opens === null} onClick={close}>
            {t('ui:close')}
          </Button>
          {opens !== null && (
            <Button look="primary" type="submit" autoFocus>
              {t(opens)}
            </Button>
          )}
        </Fragment>
      )
  }
}

/** The files that a finished publication wrote and verified. */
function Done({ report }: { readonly report: PublishReport }) {
  const { t } = useTranslation(['publish', 'exports'])
  const formats = useFormats()
  const { counts, verified, leftOut, references } = report
  const isNothing = counts.added + counts.changed + counts.removed === 0
  return (
    <>
      <Status
        tone="success"
        word={isNothing ? t('published.nothing') : t(`published.${verified.via}`, { count: verified.files })}
      />
      {!isNothing && verified.found > 0 && <p>{t('published.found', { count: verified.found })}</p>}
      <p className={words.meta}>
        {t('exports:changesInWords', {
          added: formats.count(counts.added),
          changed: formats.count(counts.changed),
          removed: formats.count(counts.removed),
        })}
      </p>
      <LeftOutList leftOut={leftOut} />
      {references !== null && <Findings findings={references} />}
    </>
  )
}
