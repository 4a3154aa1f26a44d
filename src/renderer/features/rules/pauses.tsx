import type { SavePause } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { createStoreContext } from '../../context/provided.ts'
import { useFormats } from '../../i18n/formats.ts'
import { draftIn } from '../../stores/drafts.ts'
import type { DraftsState } from '../../stores/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Bar } from '../../ui/group.tsx'
import { Status } from '../../ui/status.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './rules.module.css'

const [usePauseReasons, providePauseReasons] = createStoreContext<DraftsState<string>>('drafts of reasons')
export { providePauseReasons }

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
  const { draft: reason, setDraft: setReason, dropDraft: dropReason } = draftIn(usePauseReasons(), about, '')
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
        void onPause(reason).then((isPaused) => isPaused && dropReason())
      }}
    >
      <h4>{scope}</h4>
      <div role="status">
        <Status tone={pause === null ? 'success' : 'warning'} word={statusText()} />
      </div>
      {pause === null ? (
        <div className={styles.row}>
          <TextField label={t('rules.reason')} isProse value={reason} maxLength={500} onChange={setReason} />
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
