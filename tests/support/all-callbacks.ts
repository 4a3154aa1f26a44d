import type { CallbackFilters } from '../../packages/library/views/callbacks.ts'

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
