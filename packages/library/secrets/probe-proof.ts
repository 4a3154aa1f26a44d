import { createHmac } from 'node:crypto'
import type { SiteId } from '@galley/wire'

/** The event of Galley's own reachability probe. Not part of the contract, and never stored. */
export const probeEvent = 'galley_probe'

/** Proves that the response came from a Galley, for the same site and with the same secret. */
export const probeProof = (nonce: string, site: SiteId, secret: string): string =>
  createHmac('sha256', secret).update(`galley-probe-answer:${site}:${nonce}`).digest('hex')
