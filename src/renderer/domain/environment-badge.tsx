import type { SiteSummary } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Badge } from '../ui/badge.tsx'

/** The site's environment, distinguished by word and shape, not only by colour. */
export function EnvironmentBadge({ environment }: Pick<SiteSummary, 'environment'>) {
  const { t } = useTranslation('sites')
  return <Badge word={t(`environments.${environment}`)} tone={environment === 'prod' ? 'filled' : 'outlined'} />
}
