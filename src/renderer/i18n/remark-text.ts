import { useTranslation } from 'react-i18next'

import type { Remark } from '../../contract/domain/remark.ts'

/** Words a remark in the window's language. */
export function useRemarkText(): (remark: Remark) => string {
  const { t } = useTranslation('remarks')
  return ({ code, name }) => t(code, { name })
}
