import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import { Message } from './message.tsx'

/** What stands in a pane whose content could not be read, with the way to read it again. */
export function Failed({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Message isFailure text={text}>
      <Button onClick={onRetry}>{t('retry')}</Button>
    </Message>
  )
}
