import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ReviewVersion } from '../../contract/review.ts'
import { KeyedButton } from '../commands/keyed-button.tsx'
import { Button } from '../ui/button.tsx'
import type { ReviewStore } from './store.ts'
import styles from './verdict.module.css'

interface Props {
  readonly version: ReviewVersion | undefined
  readonly useReview: ReviewStore
  /** Icons alone, where a comparison takes the room. */
  readonly isShort: boolean
}

/** What the one who looks thinks of the version that is shown; pressed again, it is taken back. */
export function VerdictButtons({ version, useReview, isShort }: Props) {
  const { t } = useTranslation('review')
  const { toggleApproved, toggleRejected, isRejecting } = useReview()
  const kind = version?.verdict?.kind
  return (
    <>
      <KeyedButton
        look="quiet"
        icon={Check}
        isIconOnly={isShort}
        className={styles.approve}
        command="review.approve"
        aria-pressed={kind === 'approved'}
        onClick={toggleApproved}
      >
        {t('approve')}
      </KeyedButton>
      <KeyedButton
        look="quiet"
        icon={X}
        isIconOnly={isShort}
        className={styles.reject}
        command="review.reject"
        aria-pressed={kind === 'rejected'}
        aria-expanded={isRejecting}
        onClick={toggleRejected}
      >
        {t('reject')}
      </KeyedButton>
      {kind && (
        <span className={kind === 'approved' ? styles.approved : styles.rejected} role="status">
          {t(`verdicts.${kind}`)}
        </span>
      )}
    </>
  )
}

/** Asks what has to change. A row of the frame, since a dialog could not float above the pages under review. */
export function RejectBar({ useReview }: { readonly useReview: ReviewStore }) {
  const { t } = useTranslation(['review', 'ui'])
  const { reject, cancelReject } = useReview()
  const [note, setNote] = useState('')
  return (
    <form
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault()
        reject(note)
      }}
    >
      <label className={styles.label}>
        {t('rejectNote')}
        <input
          type="text"
          className={styles.note}
          // Whoever pressed the key goes on to type.
          autoFocus
          maxLength={10_000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      <Button onClick={cancelReject}>{t('ui:cancel')}</Button>
      <Button look="primary" type="submit">
        {t('reject')}
      </Button>
    </form>
  )
}
