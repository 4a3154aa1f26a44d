import type { Outcome } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'

const tones: Readonly<Record<Outcome, Tone>> = {
  stored: 'success',
  duplicate: 'neutral',
  refused: 'warning',
  rejected: 'danger',
  failed: 'danger',
  interrupted: 'warning',
}

/** A callback's outcome as a dot with a label. */
export function OutcomeStatus({ outcome }: { readonly outcome: Outcome }) {
  const { t } = useTranslation('callbacks')
  return <Status tone={tones[outcome]} word={t(`outcomes.${outcome}`)} />
}
