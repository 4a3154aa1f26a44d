import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'

interface Leaving {
  /** For Escape and Cancel: closes at once where nothing was typed, and otherwise asks. */
  readonly leave: () => void
  /** While it is asked, what stands in the place of the actions, so that what is at stake stays in view. */
  readonly question: ReactNode | null
}

/** The way out of a dialog that does not drop typed text without a question; Escape in the question goes back to the text. */
export function useLeaving(isTyped: boolean, onClose: () => void): Leaving {
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
