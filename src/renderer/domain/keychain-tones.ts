import type { KeychainHealth } from '@galley/library/records'

import type { Tone } from '../ui/status.tsx'

/** The tone of each state of the keychain. */
export const keychainTones: Readonly<Record<KeychainHealth, Tone>> = {
  usable: 'success',
  environment: 'success',
  locked: 'warning',
  unavailable: 'danger',
}
