import { fieldMax } from '@galley/library/records'
import type { SavePause } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Bar } from '../../ui/group.tsx'
import { Status } from '../../ui/status.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './rules.module.css'

interface Props {
  /** The scope's name: a site, or all sites. */
  readonly scope: string
  readonly pause: SavePause | null
  /** The draft key: a site id, or empty for all sites. */
  readonly about: string
  /** Resolves to whether saves were paused. */
  readonly onPause: (reason: string) => Promise<boolean>
  readonly onResume: () => void
}

/** Pauses and resumes saves of a site or of all, with a reason. */
export function Pause({ scope, pause, about, onPause, onResume }: Props) {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { bind, submit } = useForm({
    about: `pause ${about}`,
    kept: { reason: '' },
    read: (draft) => ok(draft),
    save: ({ reason }) => onPause(reason),
  })
  const statusText = (): string => {
    if (pause === null) return t('rules.notPaused')
    const when = formats.dayAndMinute(pause.since)
    return pause.reason === '' ? t('rules.paused', { when }) : t('rules.pausedBecause', { when, reason: pause.reason })
  }
  return (
    <form
      aria-label={scope}
      noValidate
      className={styles.pause}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h4>{scope}</h4>
      <div role="status">
        <Status tone={pause === null ? 'success' : 'warning'} word={statusText()} />
      </div>
      {pause === null ? (
        <div className={styles.row}>
          <TextField label={t('rules.reason')} isProse maxLength={fieldMax.refusalReason} {...bind('reason')} />
          <Button type="submit">{t('rules.pauseNow')}</Button>
        </div>
      ) : (
        <Bar>
          <Button look="primary" onClick={onResume}>
            {t('rules.resume')}
          </Button>
        </Bar>
      )}
    </form>
  )
}
