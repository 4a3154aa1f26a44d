import type { TFunction } from 'i18next'

import { sentenceOf } from '../../domain/change-sentence.ts'
import type { WaitingPage } from './inbox.ts'

/** What changed on a page of the inbox; three dots as long as it is not known. */
export function rowSentence(
  { before, summary }: Pick<WaitingPage, 'before' | 'summary'>,
  t: TFunction<'desk'>,
): string {
  if (before === null) return t('newPage')
  if (summary === null) return '…'
  return summary.isUnchanged && summary.looksEqual === true ? t('noVisibleChange') : sentenceOf({ summary }, t)
}
