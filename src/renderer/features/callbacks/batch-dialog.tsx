import type { TaskProgress } from '@galley/wire'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import words from '../../ui/words.module.css'
import { useBatch } from './batch-store.ts'
import styles from './callback-parts.module.css'
import { ComparisonTable } from './comparison-table.tsx'
import { Comparison } from './comparison.tsx'

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

function Results(props: Parameters<typeof ComparisonTable>[0]) {
  const [only, ...others] = props.comparisons
  return only !== undefined && others.length === 0 ? <Comparison comparison={only} /> : <ComparisonTable {...props} />
}
