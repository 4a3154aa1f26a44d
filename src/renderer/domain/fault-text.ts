import type { ListenerState } from '@galley/library/records'
import { storageFault } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { causeIn } from '../i18n/cause-text.tsx'

/** Words why a listener stores no saves, and what ends that; null if it stores them. */
export function useFaultText(): (state: ListenerState | null) => string | null {
  const { t, i18n } = useTranslation('listener')
  const causes = i18n.getFixedT(i18n.language, 'causes')
  return (state) => {
    const fault = storageFault(state)
    return fault && t(`brokenText.${fault.until}`, { why: causeIn(fault.cause, causes) })
  }
}
