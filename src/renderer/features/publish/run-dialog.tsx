import type { PublishReport } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { Fragment, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import { Findings } from '../../domain/findings.tsx'
import { LeftOutList } from '../../domain/left-out.tsx'
import { ProblemBanner } from '../../domain/means.tsx'
import { PlanView } from '../../domain/plan-view.tsx'
import { TaskProgressView } from '../../domain/task-progress.tsx'
import { causeIn } from '../../i18n/cause-text.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FilePath } from '../../ui/for-developers.ts'
import { Lines } from '../../ui/lines.tsx'
import { Status } from '../../ui/status.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { useRun } from './run.ts'
import type { RunStage, RunState } from './run.ts'
import { targetIn, useTargets } from './store.ts'
import { opening } from './target-state.ts'

interface Props {
  /** The name of the site, which a person types to allow what cannot be undone. */
  readonly siteName: string
  readonly onOpenTarget: (site: SiteId, target: string) => void
}

/** Publishes a site: shows the plan, the progress and the result. Rolls back after a confirmation. */
export function RunDialog(props: Props) {
  const state = useRun()
  // A name that was typed for a publication that was cancelled must not allow the next one.
  return state.stage.kind === 'closed' ? null : <OpenRun {...props} state={state} />
}

function OpenRun({ siteName, onOpenTarget, state }: Props & { readonly state: RunState }) {
  const { t } = useTranslation(['publish', 'ui'])
  const cancel = useRef<HTMLButtonElement>(null)
  const [typed, setTyped] = useState('')
  const { site, target, stage } = state
  const asked = askedOf(stage)
  const isAllowed = asked === null || typed.trim() === siteName
  const submit = (): void => {
    if (!isAllowed) return
    setTyped('')
    if (asked !== null) state.allow(asked)
    else if (stage.kind === 'asking' || stage.kind === 'planned') void state.publish()
    else if (stage.kind === 'failed') void (state.release === null ? state.plan() : state.publish())
    else if (stage.kind === 'done') onOpenTarget(site, target)
  }
  const question = asked !== null && (
    <TextField label={t(`allowing.${asked}`, { name: siteName })} value={typed} onChange={setTyped} />
  )
  return (
    <Dialog
      title={
        stage.kind === 'asking' ? t('rollingBack.title', { name: target }) : t(`running.${titleOf(state)}`, { target })
      }
      size={stage.kind === 'asking' ? 'small' : 'large'}
      initialFocus={cancel}
      onClose={state.close}
    >
      <DialogForm
        onSubmit={submit}
        actions={<Actions state={state} asked={asked} isAllowed={isAllowed} cancelRef={cancel} />}
      >
        {stage.kind === 'asking' && <Question state={state} />}
        {(stage.kind === 'planning' || stage.kind === 'publishing') && (
          <TaskProgressView {...stage} note={t('safeToCancel')} />
        )}
        {stage.kind === 'planned' && (
          <>
            {stage.plan.removals !== null && (
              <Banner tone="warning" text={t('allowing.removes', { ...stage.plan.removals })} />
            )}
            {question}
            <p className={words.explanation}>{t('planned')}</p>
            <PlanView site={site} plan={stage.plan} />
          </>
        )}
        {stage.kind === 'failed' &&
          (stage.problem.code === 'cancelled' ? (
            <Banner tone="info" text={t('cancelled')} />
          ) : (
            <ProblemBanner problem={stage.problem} />
          ))}
        {stage.kind === 'failed' && question}
        {stage.kind === 'done' && <Done report={stage.report} isRepair={state.isRepair === true} />}
      </DialogForm>
    </Dialog>
  )
}

/** What a person has to allow before the publication goes on; null: nothing. */
function askedOf(stage: RunStage): 'takeOver' | 'allowRemovals' | null {
  if (stage.kind === 'planned') return stage.plan.removals === null ? null : 'allowRemovals'
  if (stage.kind !== 'failed') return null
  if (stage.problem.code === 'target_foreign') return 'takeOver'
  return stage.problem.code === 'many_removals' ? 'allowRemovals' : null
}

function titleOf({ stage, release, isRepair }: RunState) {
  if (isRepair === true && stage.kind !== 'failed') return stage.kind === 'done' ? 'repaired' : 'repairing'
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
  readonly asked: ReturnType<typeof askedOf>
  /** Whether the name was typed. */
  readonly isAllowed: boolean
  readonly cancelRef: RefObject<HTMLButtonElement | null>
}

/** Each stage has its own buttons; the primary one comes first for the keyboard. */
function Actions({ state, asked, isAllowed, cancelRef }: ActionsProps) {
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
          <Button ref={cancelRef} aria-disabled={stage.isCancelling} onClick={cancel}>
            {t('ui:cancel')}
          </Button>
        </Fragment>
      )
    case 'planned':
      return (
        <Fragment key="planned">
          <Button onClick={close}>{t('ui:cancel')}</Button>
          <Button
            look={asked === null ? 'primary' : 'danger'}
            type="submit"
            autoFocus={asked === null}
            aria-disabled={!isAllowed}
          >
            {t('write')}
          </Button>
        </Fragment>
      )
    case 'failed':
      return (
        <Fragment key="failed">
          <Button onClick={close}>{t('ui:close')}</Button>
          <Button
            look={asked === null ? 'primary' : 'danger'}
            type="submit"
            autoFocus={asked === null}
            aria-disabled={!isAllowed}
          >
            {asked === null ? t('ui:retry') : t(`allowing.${asked}Button`)}
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
function Done({ report, isRepair }: { readonly report: PublishReport; readonly isRepair: boolean }) {
  const { t } = useTranslation(['publish', 'exports'])
  const formats = useFormats()
  const { counts, verified, repaired, remarks, leftOut, references } = report
  const { i18n } = useTranslation()
  const causes = i18n.getFixedT(i18n.language, 'causes')
  const wordOf = (): string => {
    if (isRepair) return t(isNothing ? 'repaired.nothing' : 'repaired.read', { count: verified.files })
    return isNothing ? t('published.nothing') : t(`published.${verified.via}`, { count: verified.files })
  }
  const isNothing = counts.added + counts.changed + counts.removed === 0
  return (
    <>
      <Status tone="success" word={wordOf()} />
      {!isNothing && verified.found > 0 && <p>{t('published.found', { count: verified.found })}</p>}
      {!isRepair && (
        <p className={words.meta}>
          {t('exports:changesInWords', {
            added: formats.count(counts.added),
            changed: formats.count(counts.changed),
            removed: formats.count(counts.removed),
          })}
        </p>
      )}
      {repaired.count > 0 && (
        <>
          <p>{t('repaired.files', { count: repaired.count })}</p>
          <Lines>
            {repaired.paths.map((path) => (
              <li key={path} className={words.code}>
                <FilePath path={path} />
              </li>
            ))}
          </Lines>
        </>
      )}
      {remarks.map((remark) => (
        <Banner key={remark.code} tone="info" text={causeIn(remark, causes)} />
      ))}
      <LeftOutList leftOut={leftOut} />
      {references !== null && <Findings findings={references} />}
    </>
  )
}
