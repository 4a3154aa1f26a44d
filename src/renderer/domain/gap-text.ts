import { useTranslation } from 'react-i18next'

import type { ListeningGap } from '../../contract/ipc/materials.ts'
import { useFormats } from '../i18n/formats.ts'

const namedAtMost = 5

/** Words for a time when no saves arrived: how it came, and the pages that may have lost a save. */
export function useGapText(): (gap: ListeningGap) => string {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  return ({ kind, from, to, pages }) => {
    const when = { from: formats.dayAndMinute(from), to: formats.dayAndMinute(to) }
    const titles = formats.list(pages.slice(0, namedAtMost).map(({ title }) => t('quoted', { title })))
    return pages.length === 0 ? t(`gap.${kind}`, when) : t(`gap.${kind}With`, { ...when, titles, count: pages.length })
  }
}
