import type { ExportReport } from '@galley/library/records'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { Findings } from '../../domain/findings.tsx'
import { LeftOutList } from '../../domain/left-out.tsx'
import { ProblemBanner } from '../../domain/means.tsx'
import { PlanView } from '../../domain/plan-view.tsx'
import { TaskProgressView } from '../../domain/task-progress.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FilePath } from '../../ui/for-developers.ts'
import { Lines } from '../../ui/lines.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import { useExportDraft } from './draft.ts'
import type { DraftState, Stage } from './draft.ts'
import { ExportForm } from './export-form.tsx'
import styles from './exports.module.css'

interface Props {
  readonly onOpenFolder: (exportId: string) => void
}

/** Prepares an export: the request, then its plan, and only then the export. */
export function ExportDialog({ onOpenFolder }: Props) {
  const { t } = useTranslation(['exports', 'ui'])
  const state = useExportDraft()
  const { draft, stage } = state
  if (stage.kind === 'closed') return null
  const isReady = draft.target !== null && (draft.materials === null || draft.materials.length > 0)
  const isBlocked = stage.kind === 'planned' && draft.check === 'block' && stage.plan.references.broken > 0

  const submit = (): void => {
    if (stage.kind === 'editing' && isReady) void state.plan()
    else if (stage.kind === 'planned' && !isBlocked) void state.export()
    else if (stage.kind === 'done') onOpenFolder(stage.report.exportId)
  }
  return (
    <Dialog title={t(`stages.${stage.kind}`)} size="large" onClose={state.close}>
      <DialogForm onSubmit={submit} actions={<Actions state={state} isReady={isReady} isBlocked={isBlocked} />}>
        {stage.kind === 'editing' && (
          <>
            {stage.problem !== null && <Outcome problem={stage.problem} />}
            <ExportForm state={state} />
          </>
        )}
        {(stage.kind === 'planning' || stage.kind === 'exporting') && (
          <TaskProgressView {...stage} note={t('safeToCancel')} />
        )}
        {stage.kind === 'planned' && (
          <>
            {isBlocked && <Banner tone="warning" text={t('blocked')} />}
            <PlanView site={draft.site} plan={stage.plan} />
          </>
        )}
        {stage.kind === 'done' && <Done report={stage.report} />}
      </DialogForm>
    </Dialog>
  )
}

interface ActionsProps {
  readonly state: DraftState
  readonly isReady: boolean
  readonly isBlocked: boolean
}

/** The buttons of each stage; the one that continues comes first for the keyboard. */
function Actions({ state, isReady, isBlocked }: ActionsProps) {
  const { t } = useTranslation(['exports', 'ui'])
  const { draft, stage } = state
  switch (stage.kind) {
    case 'closed':
      return null
    case 'editing':
      return (
        <>
          {!isReady && (
            <p className={styles.missing}>{t(draft.target === null ? 'form.needsPlace' : 'form.needsMaterials')}</p>
          )}
          <Button onClick={state.close}>{t('ui:cancel')}</Button>
          <Button look="primary" type="submit" aria-disabled={!isReady}>
            {t('showPlan')}
          </Button>
        </>
      )
    case 'planning':
      return <CancelButton key="planning" state={state} />
    case 'exporting':
      return (
        <Fragment key="exporting">
          <Button look="quiet" onClick={state.close}>
            {t('inBackground')}
          </Button>
          <CancelButton state={state} />
        </Fragment>
      )
    case 'planned':
      return (
        <Fragment key="planned">
          <Button autoFocus={isBlocked} onClick={state.backToForm}>
            {t('back')}
          </Button>
          {!isBlocked && (
            <Button look="primary" type="submit" autoFocus>
              {t('write')}
            </Button>
          )}
        </Fragment>
      )
    case 'done':
      return (
        <Fragment key="done">
          <Button onClick={state.close}>{t('ui:close')}</Button>
          <Button look="primary" type="submit" autoFocus>
            {t('openFolder')}
          </Button>
        </Fragment>
      )
  }
}

/** The result of a finished export: what it wrote and left out. */
function Done({ report }: Pick<Extract<Stage, { kind: 'done' }>, 'report'>) {
  const { t } = useTranslation('exports')
  const formats = useFormats()
  return (
    <>
      <p>
        {t('done', {
          count: report.counts.files,
          size: formats.size(report.counts.bytes),
          path: report.target.path,
        })}
      </p>
      <p className={words.meta}>
        {t('changesInWords', {
          added: formats.count(report.counts.added),
          changed: formats.count(report.counts.changed),
          removed: formats.count(report.counts.removed),
        })}
      </p>
      {report.verified !== undefined && <Verified verified={report.verified} />}
      <LeftOutList leftOut={report.leftOut} />
      <Findings findings={report.references} />
    </>
  )
}

/** Why there is no plan, or no export: a failure, or the person cancelled it. */
function Outcome({ problem }: { readonly problem: CallProblem }) {
  const { t } = useTranslation('exports')
  return problem.code === 'cancelled' ? (
    <Banner tone="info" text={t('cancelled')} />
  ) : (
    <ProblemBanner problem={problem} />
  )
}

/** The result of reading every file back. */
function Verified({ verified: { files, wrong } }: { readonly verified: NonNullable<ExportReport['verified']> }) {
  const { t } = useTranslation('exports')
  if (wrong.length === 0) return <Status tone="success" word={t('verified.fine', { count: files })} />
  return (
    <section>
      <Status tone="warning" word={t('verified.wrong', { count: wrong.length })} />
      <Lines>
        {wrong.map((path) => (
          <li key={path} className={words.code}>
            <FilePath path={path} />
          </li>
        ))}
      </Lines>
    </section>
  )
}

function CancelButton({ state: { stage, cancel } }: { readonly state: DraftState }) {
  const { t } = useTranslation('ui')
  const isCancelling = 'isCancelling' in stage && stage.isCancelling
  return (
    <Button autoFocus aria-disabled={isCancelling} onClick={cancel}>
      {t('cancel')}
    </Button>
  )
}
