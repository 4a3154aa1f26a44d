import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import type { When } from './question.ts'

/** Words a time filter; null for any time. */
export function useWhenText(): (when: When) => string | null {
  const { t } = useTranslation(['callbacks', 'ui'])
  const formats = useFormats()
  return (when) => {
    if (when.kind === 'any') return null
    if (when.kind === 'last') return t(`ui:spans.${when.span}`)
    const [from, to] = [formats.dayAndMinute(when.from), formats.dayAndMinute(when.to)]
    if (when.to === '') return t('when.since', { from })
    return when.from === '' ? t('when.until', { to }) : t('when.range', { from, to })
  }
}
