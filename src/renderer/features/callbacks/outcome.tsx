import type { Outcome } from '../../../contract/answer.ts'
import { texts } from '../../texts.ts'
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

/** How a callback ended, as dot and word. */
export function OutcomeStatus({ outcome }: { readonly outcome: Outcome }) {
  return <Status tone={tones[outcome]} word={texts.callbacks.outcomes[outcome]} />
}
