import { Check, CornerUpLeft, Eye, RotateCcw, Send } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { displayKeys } from '../../commands/keys.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Pane } from '../../ui/pane.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import { Beside } from './beside.tsx'
import styles from './desk.module.css'
import { useInbox } from './inbox.ts'
import { SentBack } from './sent-back.tsx'
import { useDesk } from './store.ts'

/** What changed on the page that is read, and what can be decided about it. */
export function Decision() {
  const { t } = useTranslation('desk')
  const { shown } = useDesk()
  const compared = shown.kind === 'loaded' ? shown.page.compared : undefined
  const title =
    compared === undefined
      ? t('whatChanged')
      : compared === null
        ? t('newPage')
        : t('changes', { count: compared.changes.length })
  return (
    <Pane name="inspector" level={2} title={title}>
      <Beside />
      <SentBack />
      <Buttons />
    </Pane>
  )
}

function Buttons() {
  const { t } = useTranslation('desk')
  const { at, shown, isAsking, isHeld, hold, approve, ask, undo } = useDesk()
  const goesOn = useInbox(({ of }) => of === null)
  const keys = useShownKeys()
  const isPainted = shown.kind === 'loaded' && shown.paintedAtMs !== null
  if (isAsking) return <Reason />
  return (
    <div className={styles.decide} data-desk>
      <KeyedButton
        look="primary"
        icon={Check}
        command="review.approve"
        keys={keys('review.approve')}
        disabled={!isPainted}
        onClick={() => void approve()}
      >
        {t(goesOn ? 'approve' : 'approveOnly')}
      </KeyedButton>
      <KeyedButton
        icon={Send}
        command="review.publish"
        keys={keys('review.publish')}
        disabled={!isPainted}
        onClick={() => void approve({ isPublishing: true })}
      >
        {t('publish.button')}
      </KeyedButton>
      <KeyedButton
        icon={CornerUpLeft}
        command="review.reject"
        keys={keys('review.reject')}
        disabled={!isPainted}
        onClick={() => ask(true)}
      >
        {t('request')}
      </KeyedButton>
      {at?.before != null && (
        <Button
          icon={Eye}
          keys={keys('review.hold')}
          aria-pressed={isHeld}
          title={t('hold')}
          disabled={!isPainted}
          onPointerDown={() => hold(true)}
          onPointerUp={() => hold(false)}
          onPointerLeave={() => hold(false)}
          onKeyDown={({ key, repeat }) => key === 'Enter' && !repeat && hold(!isHeld)}
        >
          {t('asIs')}
        </Button>
      )}
      <KeyedButton
        look="quiet"
        icon={RotateCcw}
        command="review.undo"
        keys={keys('review.undo')}
        onClick={() => void undo()}
      >
        {t('undo')}
      </KeyedButton>
    </div>
  )
}

/** Asks what has to change: a writer needs the reason. */
function Reason() {
  const { t } = useTranslation(['desk', 'ui'])
  const { reason, typeReason, ask, requestChanges } = useDesk()
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') ask(false)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [ask])
  return (
    <form
      className={styles.decide}
      data-desk
      onSubmit={(event) => {
        event.preventDefault()
        void requestChanges()
      }}
      ref={(form) => form?.querySelector('textarea')?.focus()}
    >
      <TextArea
        label={t('reason')}
        isRequired
        isProse
        submitsByKey
        rows={4}
        maxLength={10_000}
        value={reason}
        onChange={typeReason}
      />
      <Button look="primary" type="submit" keys={displayKeys('Mod+Enter')} disabled={reason.trim() === ''}>
        {t('requestNow')}
      </Button>
      <Button onClick={() => ask(false)}>{t('ui:cancel')}</Button>
    </form>
  )
}
