import type { ReplayComparison, ReplayEnd } from '@galley/library/records'
import type { TaskProgress } from '@galley/wire'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import { ForDevelopers } from '../../ui/for-developers.ts'
import words from '../../ui/words.module.css'
import { useBatch } from './batch-store.ts'
import styles from './callback-parts.module.css'
import { Comparison, hasSameOutcome } from './comparison.tsx'
import { OutcomeStatus } from './outcome.tsx'
import { useCallbackRows } from './store.ts'

/** Replays callbacks after confirmation, except in a dry run, and compares old and new outcomes. */
export function BatchDialog() {
  const { t } = useTranslation(['replay', 'ui'])
  const cancel = useRef<HTMLButtonElement>(null)
  const done = useRef<HTMLButtonElement>(null)
  const { replay, start, cancel: stop, close } = useBatch()
  if (replay === null) return null
  const { ids, isDryRun, view, progress } = replay
  const count = ids.length
  if (view === null) {
    return (
      <Dialog title={t('confirm.title', { count })} initialFocus={cancel} onClose={close}>
        <DialogForm
          onSubmit={() => void start()}
          actions={<CancelAndSubmit cancelRef={cancel} onCancel={close} submit={t('confirm.run', { count })} />}
        >
          <p>{t('confirm.text')}</p>
          <p className={words.meta}>{t('intro')}</p>
        </DialogForm>
      </Dialog>
    )
  }
  const title = isDryRun ? t('resultsDry') : t('results')
  if (view.kind === 'loading' && progress !== null) {
    return (
      <Dialog title={title} onClose={close}>
        <DialogForm onSubmit={close} actions={<CancelAndSubmit onCancel={stop} submit={t('hide')} />}>
          <Progress progress={progress} />
        </DialogForm>
      </Dialog>
    )
  }
  return (
    <Dialog title={title} size={count === 1 ? 'large' : 'wide'} initialFocus={done} onClose={close}>
      <DialogForm
        onSubmit={close}
        actions={
          <Button ref={done} look="primary" type="submit">
            {t('ui:done')}
          </Button>
        }
      >
        {view.kind === 'loading' && <p role="status">{t('running')}</p>}
        {view.kind === 'failed' && view.problem !== null && <ProblemLine problem={view.problem} role="alert" />}
        {view.kind === 'ready' && view.items.length < count && (
          <p role="status">{t('impossible.gone', { count: count - view.items.length })}</p>
        )}
        {view.kind === 'ready' && view.items.length > 0 && <Results comparisons={view.items} isDryRun={isDryRun} />}
      </DialogForm>
    </Dialog>
  )
}

function Progress({ progress: { done, total } }: { readonly progress: TaskProgress }) {
  const { t } = useTranslation('replay')
  return (
    <>
      <p>{t('progress', { done, total: total ?? done })}</p>
      <progress aria-label={t('results')} value={done} max={total ?? done} className={styles.progress} />
    </>
  )
}

interface Props {
  readonly comparisons: readonly ReplayComparison[]
  readonly isDryRun: boolean
}

/** More lines than this are not compared one by one. */
const shownLines = 200

/** Old and new outcomes of several callbacks; different outcomes come first. */
function ComparisonTable({ comparisons, isDryRun }: Props) {
  const rows = useCallbackRows((state) => state.rows)
  /** The material or event of a callback, if its row is loaded. */
  const nameOf = (id: string): string | null => {
    const row = [...rows.values()].find((other) => other.id === id)
    return row === undefined ? null : row.materialTitle || row.materialId
  }
  const { t } = useTranslation('replay')
  const differing = comparisons.filter((comparison) => !hasSameOutcome(comparison))
  const shown = [...differing, ...comparisons.filter(hasSameOutcome)].slice(0, shownLines)
  return (
    <>
      <p role="status">{t('summary', { count: differing.length })}</p>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={t('results')} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('callback')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{isDryRun ? t('afterDry') : t('afterReal')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((comparison) => (
              <tr key={comparison.id} data-differs={!hasSameOutcome(comparison) || undefined}>
                <th scope="row">
                  <span>{nameOf(comparison.id) ?? t('callback')}</span>
                  <ForDevelopers>
                    <span className={words.code}>{comparison.id}</span>
                  </ForDevelopers>
                </th>
                <td>
                  <End end={comparison.before} />
                </td>
                <td>
                  <End end={comparison.after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {comparisons.length > shown.length && (
        <p className={words.meta}>{t('capped', { shown: shown.length, total: comparisons.length })}</p>
      )}
    </>
  )
}

const End = ({ end }: { readonly end: ReplayEnd }) => (
  <>
    <OutcomeStatus outcome={end.outcome} />
    <ForDevelopers>
      <span className={words.code}>{end.code ?? end.versionId}</span>
    </ForDevelopers>
  </>
)

function Results(props: Parameters<typeof ComparisonTable>[0]) {
  const [only, ...others] = props.comparisons
  return only !== undefined && others.length === 0 ? <Comparison comparison={only} /> : <ComparisonTable {...props} />
}
