import { useTranslation } from 'react-i18next'

import type { SiteCheck } from '../../contract/ipc/sites.ts'
import { causeIn } from '../i18n/cause-text.tsx'

/** How a line of a self-test looks. A clock that could not be compared is not wrong, and was not tested either. */
export const checkTone = ({ ok, code }: Pick<SiteCheck, 'ok' | 'code'>): 'success' | 'danger' | 'neutral' => {
  if (code === 'clock_unknown') return 'neutral'
  return ok ? 'success' : 'danger'
}

/** The words of a line; where a publishing target failed, with the cause. */
export function useCheckText(): (check: Pick<SiteCheck, 'code' | 'facts'>) => string {
  const { t, i18n } = useTranslation('start')
  const causes = i18n.getFixedT(i18n.language, 'causes')
  return ({ code, facts: { why } }) =>
    t(`checks.${code}`, { why: typeof why === 'object' && why !== null ? causeIn(why, causes) : '' })
}
