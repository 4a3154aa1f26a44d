import { fieldMax } from '@galley/library/records'
import { Check, Copy, ExternalLink, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { PaneName, Review, ReviewVersion } from '../../ipc/review-window.ts'
import { KeyedButton } from '../commands/keyed-button.tsx'
import { asText, authorMessage } from '../domain/rejection-text.ts'
import { useFormats } from '../i18n/formats.ts'
import { Button } from '../ui/button.tsx'
import { Status } from '../ui/status.tsx'
import { submitByKey } from '../ui/text-field.tsx'
import type { ReviewBridge } from './bridge.ts'
import { reasonOf } from './state.ts'
import { useReview } from './store.ts'
import styles from './verdict.module.css'

interface ButtonsProps {
  readonly version: ReviewVersion
  readonly pane: PaneName
  /** Whether shortcuts apply to this version. */
  readonly isActive: boolean
}

/** Verdict buttons; pressing the active one keeps the decision: a reason is opened for editing. */
export function VerdictButtons({ version, pane, isActive }: ButtonsProps) {
  const { t } = useTranslation('review')
  const { activate, approve, askReason, isRejecting } = useReview()
  const kind = version.verdict?.decision
  const judge = (decide: () => void): void => {
    activate(pane, true)
    decide()
  }
  return (
    <div className={styles.buttons}>
      <KeyedButton
        icon={Check}
        className={styles.approve}
        command={isActive ? 'review.approve' : null}
        aria-pressed={kind === 'approved'}
        onClick={() => judge(approve)}
      >
        {t('approve')}
      </KeyedButton>
      <KeyedButton
        icon={X}
        className={styles.reject}
        command={isActive ? 'review.reject' : null}
        aria-pressed={kind === 'changes_requested'}
        aria-expanded={isActive && isRejecting}
        onClick={() => judge(askReason)}
      >
        {t('reject')}
      </KeyedButton>
    </div>
  )
}

/** Asks what must change. Part of the frame, since a dialog cannot float above the pages under review. */
export function RejectForm() {
  const { t } = useTranslation(['review', 'ui'])
  const state = useReview()
  const { typeReason, reject, cancelReject } = state
  return (
    <form
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault()
        reject()
      }}
    >
      <label className={styles.label}>
        {t('rejectNote')}
        <textarea
          className={styles.note}
          // The shortcut that opened the form goes straight to typing, after what was written before.
          autoFocus
          onFocus={({ currentTarget: { value }, currentTarget }) =>
            currentTarget.setSelectionRange(value.length, value.length)
          }
          rows={3}
          spellCheck
          maxLength={fieldMax.text}
          value={reasonOf(state)}
          onChange={(event) => typeReason(event.target.value)}
          onKeyDown={submitByKey}
        />
      </label>
      <Button onClick={cancelReject}>{t('ui:cancel')}</Button>
      <Button look="primary" type="submit">
        {t('reject')}
      </Button>
    </form>
  )
}

interface GivenProps {
  readonly bridge: ReviewBridge
  readonly review: Review
  readonly pane: PaneName
  readonly version: ReviewVersion
}

/** The verdict with its time and reason; a rejection also offers to copy it for the author and to open the editor. */
export function VerdictGiven({ bridge, review: { title }, pane, version }: GivenProps) {
  const { t, i18n } = useTranslation('review')
  const formats = useFormats()
  const [copied, setCopied] = useState('')
  const { verdict } = version
  const { undo, clearVerdict, undoVerdict, activate } = useReview()
  const canUndo = undo?.versionId === version.versionId
  const text = asText(authorMessage(i18n, title, version))
  const copy = async (): Promise<void> => {
    await bridge.call('copyText', { text })
    setCopied(text)
  }
  return (
    <div className={styles.given}>
      {/* Always rendered, so that screen readers announce changes. */}
      <p role="status" className={styles.decided}>
        {verdict === null && canUndo && t('cleared')}
        {verdict !== null && (
          <>
            <Status
              tone={verdict.decision === 'approved' ? 'success' : 'danger'}
              word={t(`verdicts.${verdict.decision}`)}
            />{' '}
            <time dateTime={verdict.at} title={formats.exact(verdict.at)} className={styles.when}>
              {formats.dayAndMinute(verdict.at)}
            </time>
            {verdict.reason !== '' && <span className={styles.why}>{verdict.reason}</span>}
          </>
        )}
      </p>
      <div className={styles.buttons}>
        {canUndo && (
          <Button look="quiet" onClick={undoVerdict}>
            {t('undo')}
          </Button>
        )}
        {verdict !== null && (
          <Button
            look="quiet"
            icon={RotateCcw}
            onClick={() => {
              activate(pane, true)
              clearVerdict()
            }}
          >
            {t('clear')}
          </Button>
        )}
        {verdict?.decision === 'changes_requested' && (
          <>
            <Button look="quiet" icon={Copy} onClick={() => void copy()}>
              {copied === text ? t('copied') : t('copyForAuthor')}
            </Button>
            <Button look="quiet" icon={ExternalLink} onClick={() => void bridge.call('openInEditor', undefined)}>
              {t('openInEditor')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
