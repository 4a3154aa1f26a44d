import type { Addresses } from '../addresses.ts'
import type { Store } from '../store/open-store.ts'
import type { ServiceSites } from '../service-site.ts'
import type { Delivery, OutgoingCallback } from './deliver.ts'

/** What the two local commands that send callbacks are made of. */
export interface CallbackPorts {
  readonly sites: ServiceSites
  readonly store: Store
  readonly addresses: Addresses
  readonly deliver: (callback: OutgoingCallback) => Promise<Delivery>
  readonly nowMs: () => number
}
