import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import { Message } from './message.tsx'

interface Props {
  readonly text: string
  readonly onRetry: () => void
  readonly children?: ReactNode
}

/** Shown in a pane whose content could not be read, with a retry button. */
export function Failed({ text, onRetry, children }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Message isFailure text={text}>
      <Button onClick={onRetry}>{t('retry')}</Button>
      {children}
    </Message>
  )
}
