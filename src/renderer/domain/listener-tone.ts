import type { ListenerState } from '@galley/library/records'

import type { Tone } from '../ui/status.tsx'

/** The tone of each listener state; stopped is a warning, since saves do not arrive. */
export const listenerTones: Readonly<Record<ListenerState['kind'], Tone>> = {
  starting: 'busy',
  listening: 'success',
  elsewhere: 'success',
  failed: 'danger',
  stopping: 'busy',
  stopped: 'warning',
}
