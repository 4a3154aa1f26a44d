import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'

interface DiscardGuard {
  /** For Escape and Cancel: closes at once if nothing was typed, otherwise asks first. */
  readonly leave: () => void
  /** Replaces the dialog's actions, so that the typed text stays visible. */
  readonly question: ReactNode | null
}

/** Asks before a dialog with typed text closes; Escape in the question returns to the text. */
export function useDiscardGuard(isTyped: boolean, onClose: () => void): DiscardGuard {
  const [isAsking, setAsking] = useState(false)
  return {
    leave: () => (isTyped ? setAsking(!isAsking) : onClose()),
    question: isAsking ? <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} /> : null,
  }
}

function DiscardQuestion({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <>
      <p role="alert" style={{ marginInlineEnd: 'auto' }}>
        {t('discard.ask')}
      </p>
      <Button autoFocus onClick={onKeep}>
        {t('discard.keep')}
      </Button>
      <Button look="danger" onClick={onDiscard}>
        {t('discard.discard')}
      </Button>
    </>
  )
}
