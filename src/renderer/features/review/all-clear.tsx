import { RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { Message } from '../../ui/message.tsx'
import { SentBack } from './sent-back.tsx'
import type { Decided } from './store.ts'
import { useDesk } from './store.ts'

/** What is left when no page waits: what was decided in this visit. */
export function AllClear() {
  const { t } = useTranslation('desk')
  const { decided, undo } = useDesk()
  const decidedText = useDecidedText()
  return (
    <>
      <Message title={t('allClear')} text={decided.length === 0 ? t('nothing') : decidedText(decided)}>
        <KeyedButton icon={RotateCcw} command="review.undo" onClick={() => void undo()}>
          {t('undo')}
        </KeyedButton>
      </Message>
      <SentBack />
    </>
  )
}

/** Counts the decisions in words. */
export function useDecidedText(): (decided: readonly Decided[]) => string {
  const { t } = useTranslation('desk')
  return (decided) => {
    const approved = decided.filter(({ decision }) => decision === 'approved').length
    const sentBack = decided.length - approved
    return [
      ...(approved > 0 ? [t('approved', { count: approved })] : []),
      ...(sentBack > 0 ? [t('sentBack', { count: sentBack })] : []),
    ].join(', ')
  }
}
