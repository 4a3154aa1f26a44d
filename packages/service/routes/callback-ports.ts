import type { SentCallbacks } from '../callbacks/sent-callbacks.ts'
import type { CallbackDelivery } from '../faults/faulty-delivery.ts'
import type { Addresses } from '../http/addresses.ts'
import type { ServiceSites } from '../sites/service-site.ts'
import type { Store } from '../store/open-store.ts'

/** Dependencies of the two commands that send callbacks. */
export interface CallbackPorts {
  readonly sites: ServiceSites
  readonly store: Store
  readonly addresses: Addresses
  readonly delivery: CallbackDelivery
  readonly sent: SentCallbacks
  readonly nowMs: () => number
}
