import type { Remark } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

/** Words a remark in the window's language. */
export function useRemarkText(): (remark: Remark) => string {
  const { t } = useTranslation('remarks')
  return ({ code, name }) => t(code, { name })
}
