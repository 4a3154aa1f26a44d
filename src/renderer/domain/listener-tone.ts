import type { ListenerState } from '../../contract/domain/listener-state.ts'
import type { Tone } from '../ui/status.tsx'

/** How a state of the listener looks wherever it is told: one that is stopped lets no save in. */
export const listenerTones: Readonly<Record<ListenerState['kind'], Tone>> = {
  starting: 'busy',
  listening: 'success',
  elsewhere: 'success',
  failed: 'danger',
  stopping: 'busy',
  stopped: 'warning',
}
