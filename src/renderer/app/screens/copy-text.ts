import { useTranslation } from 'react-i18next'

import type { Services } from '../../domain/services.ts'

/** Puts a text on the clipboard and says so. */
export function useCopy({ bridge, toasts }: Pick<Services, 'bridge' | 'toasts'>): (text: string) => void {
  const { t } = useTranslation('ui')
  return (text) =>
    void bridge.call('copyText', { text }).then(() => toasts.add({ title: t('copied'), description: text }))
}
