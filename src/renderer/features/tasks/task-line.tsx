import { taskName } from '@galley/library/records'
import type { Task, TaskResults } from '@galley/library/records'
import { CircleCheck, CircleSlash, CircleX, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { codeOf } from '../../domain/guide.ts'
import { Means } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Button } from '../../ui/button.tsx'
import { cancelledText, isDone, progressText, resultText } from './result-text.ts'
import type { DoneTask } from './result-text.ts'
import type { TasksState } from './store.ts'
import styles from './task-drawer.module.css'

interface Props {
  readonly task: Task
  readonly cancel: TasksState['cancel']
  readonly onOpenFolder: (exportId: string) => void
  readonly onShowReplay: (comparisons: TaskResults['replay']) => void
}

const icons = { running: LoaderCircle, done: CircleCheck, failed: CircleX, cancelled: CircleSlash } as const

/** One task: its name, progress or result, and actions. */
export function TaskLine({ task, cancel, onOpenFolder, onShowReplay }: Props) {
  const { t } = useTranslation('tasks')
  const { end } = task
  const Icon = icons[end.kind]
  return (
    <li className={styles.task} data-end={end.kind}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <div className={styles.words}>
        <p className={styles.name}>
          {t(`names.${taskName(task)}`)}
          {typeof task.facts['site'] === 'string' && <span className={styles.detail}>{task.facts['site']}</span>}
        </p>
        <End task={task} />
        {end.kind === 'running' && <Bar task={task} />}
      </div>
      {end.kind === 'running' && !end.isCancelling && (
        <Button look="quiet" onClick={() => cancel(task.id)}>
          {t('cancel')}
        </Button>
      )}
      {isDone(task) && <ResultLink task={task} onOpenFolder={onOpenFolder} onShowReplay={onShowReplay} />}
    </li>
  )
}

/** A link to the full result of a finished task, if there is more to see. */
function ResultLink({
  task,
  onOpenFolder,
  onShowReplay,
}: Pick<Props, 'onOpenFolder' | 'onShowReplay'> & { readonly task: DoneTask }) {
  const { t } = useTranslation('tasks')
  if (task.kind === 'export') {
    const { exportId } = task.end.result
    return <Button onClick={() => onOpenFolder(exportId)}>{t('openFolder')}</Button>
  }
  if (task.kind === 'replay') {
    const comparisons = task.end.result
    return <Button onClick={() => onShowReplay(comparisons)}>{t('showOutcomes')}</Button>
  }
  return null
}

function End({ task }: Pick<Props, 'task'>) {
  const { t } = useTranslation('tasks')
  const formats = useFormats()
  const problemText = useProblemText()
  const { end, progress } = task
  const text = (): string => {
    switch (end.kind) {
      case 'running':
        if (end.isCancelling) return t('cancelling')
        return progress === null ? t('starting') : progressText(progress, t, formats)
      case 'done':
        return isDone(task) ? resultText(task, t, formats) : ''
      case 'failed':
        return problemText(end.problem)
      case 'cancelled':
        return cancelledText(task, t)
    }
  }
  return (
    <p className={styles.detail}>
      {text()} {end.kind === 'failed' && <Means code={codeOf(end.problem)} />}
    </p>
  )
}

/** A progress bar, indeterminate until the total is known. */
function Bar({ task }: Pick<Props, 'task'>) {
  const { t } = useTranslation('tasks')
  const { progress } = task
  const share = progress?.total == null || progress.total === 0 ? null : progress.done / progress.total
  return (
    <div
      role="progressbar"
      aria-label={t(`names.${taskName(task)}`)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      className={styles.track}
    >
      <div
        className={share === null ? styles.unknown : styles.fill}
        style={share === null ? {} : { width: `${share * 100}%` }}
      />
    </div>
  )
}
