import type { CallbackFailure, Cause } from '@galley/wire'

const ofDamage: ReadonlySet<Cause['code']> = new Set(['index_damaged', 'index_not_ours', 'index_rebuilding'])

/** The answer to a save that could not be stored. While a damaged index is being rebuilt, it can be sent again in a moment. */
export const storageFailure = (reason: Cause): CallbackFailure =>
  ofDamage.has(reason.code) ? { kind: 'busy', state: 'opening' } : { kind: 'storage_failed', reason }
