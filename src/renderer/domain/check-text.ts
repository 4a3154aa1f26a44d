import type { SiteCheck } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { causeIn } from '../i18n/cause-text.tsx'

/** The tone of a self-test result. A clock that could not be compared, and a secret that was not tried, are neutral. */
export const checkTone = ({ ok, code }: Pick<SiteCheck, 'ok' | 'code'>): 'success' | 'danger' | 'neutral' => {
  if (code === 'clock_unknown' || code === 'secret_untried') return 'neutral'
  return ok ? 'success' : 'danger'
}

/** Words a self-test result; for a failed publishing target, with the cause. */
export function useCheckText(): (check: Pick<SiteCheck, 'code' | 'facts'>) => string {
  const { t, i18n } = useTranslation('start')
  const causes = i18n.getFixedT(i18n.language, 'causes')
  return ({ code, facts: { why, name } }) =>
    t(`checks.${code}`, {
      why: typeof why === 'object' && why !== null ? causeIn(why, causes) : '',
      name: typeof name === 'string' ? name : '',
    })
}
