import type { TaskProgress } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'
import words from '../ui/words.module.css'
import styles from './plan.module.css'

interface Props {
  readonly progress: TaskProgress | null
  readonly isCancelling: boolean
  /** The consequence of cancelling. */
  readonly note: string
}

/** How far a task is that a dialog waits for. */
export function TaskProgressView({ progress, isCancelling, note }: Props) {
  const { t } = useTranslation('tasks')
  const formats = useFormats()
  const step = progress === null ? t('starting') : t(`steps.${progress.step}`)
  const isCounted = progress !== null && progress.unit !== 'bytes'
  return (
    <div className={styles.progress} role="status">
      <p>{isCancelling ? t('cancelling') : step}</p>
      <progress aria-label={step} {...(progress?.total ? { value: progress.done, max: progress.total } : {})} />
      {isCounted && (
        <p className={words.meta}>
          {t('progress', {
            done: formats.count(progress.done),
            total: t(`units.${progress.unit}`, { count: progress.total ?? progress.done }),
          })}
        </p>
      )}
      <p className={words.meta}>{note}</p>
    </div>
  )
}
