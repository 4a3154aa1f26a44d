import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import { Message } from './message.tsx'

/** Shown in a pane whose content could not be read, with a retry button. */
export function Failed({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Message isFailure text={text}>
      <Button onClick={onRetry}>{t('retry')}</Button>
    </Message>
  )
}
