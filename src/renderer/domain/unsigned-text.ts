import type { UnsignedSaves } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'

/** Words for saves that are not signed with the site's secret. */
export function useUnsignedText(): (unsigned: UnsignedSaves) => string {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  return ({ count, since, signedIn }) => {
    const facts = { count, since: formats.dayAndMinute(since) }
    return signedIn === null ? t('unsignedSaves', facts) : t('otherHeader', { ...facts, header: signedIn })
  }
}
