import type { CallbackFilters } from '../../src/contract/ipc/callbacks.ts'

/** Filters that match all callbacks of all sites. */
export const allCallbacks: CallbackFilters = {
  site: null,
  outcomes: [],
  kinds: [],
  signatures: [],
  materialId: null,
  from: null,
  to: null,
  text: '',
}
