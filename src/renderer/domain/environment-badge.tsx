import { useTranslation } from 'react-i18next'

import type { SiteSummary } from '../../contract/domain/site.ts'
import { Badge } from '../ui/badge.tsx'

/** Whether a site is what readers see: told apart by word and by shape, not by colour alone. */
export function EnvironmentBadge({ environment }: Pick<SiteSummary, 'environment'>) {
  const { t } = useTranslation('sites')
  return <Badge word={t(`environments.${environment}`)} tone={environment === 'prod' ? 'filled' : 'outlined'} />
}
