import type { SiteCheck } from '../../contract/ipc/sites.ts'

/** How a line of a self-test looks. A clock that could not be compared is not wrong, and was not tested either. */
export const checkTone = ({ ok, code }: Pick<SiteCheck, 'ok' | 'code'>): 'success' | 'danger' | 'neutral' => {
  if (code === 'clock_unknown') return 'neutral'
  return ok ? 'success' : 'danger'
}
