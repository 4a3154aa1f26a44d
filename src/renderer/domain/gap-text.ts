import type { ListeningGap } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'

const namedAtMost = 5

/** Words for a time when no saves arrived: how it came, and the pages that may have lost a save. */
export function useGapText(): (gap: ListeningGap) => string {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  return ({ kind, from, to, pages }) => {
    const when = { from: formats.dayAndMinute(from), to: formats.dayAndMinute(to) }
    if (pages.length === 0) return t(`gap.${kind}`, when)
    const named = pages.slice(0, namedAtMost).map(({ title }) => t('quoted', { title }))
    const more = pages.length - named.length
    const titles = formats.list(more === 0 ? named : [...named, t('morePages', { more })])
    return t(`gap.${kind}With`, { ...when, titles, count: pages.length })
  }
}
