import type { CallbackFilters } from '../../src/contract/ipc/callbacks.ts'

/** Filters that leave every callback of every site. */
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
