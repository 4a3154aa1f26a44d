import type { MaterialRow, VersionRow } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'

/** Says which fields of a row wait for the bucket of the team; null for none. */
export function useWaitingText(): (row: Pick<MaterialRow, 'waiting'> | Pick<VersionRow, 'waiting'>) => string | null {
  const { t } = useTranslation('team')
  const formats = useFormats()
  return ({ waiting }) =>
    waiting === undefined
      ? null
      : t('waits', { fields: formats.list(waiting.map((field) => t(`conflicts.fields.${field}`))) })
}
