/** The event of Galley's own reachability probe; it is no event of the contract and never stored. */
export const probeEvent = 'galley_probe'

/** The text whose HMAC proves to the prober that the answer came from a Galley with the same secret. */
export const probeText = (nonce: string): string => `galley-probe-answer:${nonce}`
