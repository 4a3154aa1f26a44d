/** The event of Galley's own reachability probe. Not part of the contract, and never stored. */
export const probeEvent = 'galley_probe'

/** The text whose HMAC proves that the response came from a Galley, for the same site and with the same secret. */
export const probeText = (nonce: string, site: string): string => `galley-probe-answer:${site}:${nonce}`
