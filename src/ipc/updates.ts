import type { UpdateState } from '@galley/update'

import { asks, nothing } from './call.ts'

export type { Offer, UpdateState } from '@galley/update'

/** Calls about newer versions. Each answers with what is known then; `updates` tells of changes. */
export const updateCalls = {
  updateState: asks(nothing).gives<UpdateState>(),
  /** Asks the update server now. */
  checkForUpdates: asks(nothing).gives<UpdateState>(),
  /** Downloads the newer version, which is installed at the next quit. */
  takeUpdate: asks(nothing).gives<UpdateState>(),
  /** Offers this version no more. */
  skipUpdate: asks(nothing).gives<UpdateState>(),
}
