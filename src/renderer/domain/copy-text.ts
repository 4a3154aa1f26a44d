import { cutAtWord } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../bridge/use-bridge.ts'
import { useToasts } from '../ui/toasts.tsx'
import type { Services } from './services.ts'

/** A longer text would hide the window. */
const shownChars = 300

/** Copies text to the clipboard and confirms it with a toast. */
export function copyText({ bridge, texts, toasts }: Pick<Services, 'bridge' | 'texts' | 'toasts'>, text: string): void {
  const description = cutAtWord(text, shownChars)
  void bridge.call('copyText', { text }).then(() => toasts.add({ title: texts.t('ui:copied'), description }))
}

/** Hook form of `copyText`. */
export function useCopy(): (text: string) => void {
  const { i18n: texts } = useTranslation('ui')
  const bridge = useBridge()
  const toasts = useToasts()
  return (text) => copyText({ bridge, texts, toasts }, text)
}
