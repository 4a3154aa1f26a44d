import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { useToasts } from '../../ui/toasts.tsx'
import type { Services } from '../state/services.ts'

/** Puts a text on the clipboard and says so. */
export function copyText({ bridge, texts, toasts }: Pick<Services, 'bridge' | 'texts' | 'toasts'>, text: string): void {
  void bridge.call('copyText', { text }).then(() => toasts.add({ title: texts.t('ui:copied'), description: text }))
}

/** The same for a component. */
export function useCopy(): (text: string) => void {
  const { i18n: texts } = useTranslation('ui')
  const bridge = useBridge()
  const toasts = useToasts()
  return (text) => copyText({ bridge, texts, toasts }, text)
}
