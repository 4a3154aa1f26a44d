/** The event of Galley's own reachability probe. Not part of the contract, and never stored. */
export const probeEvent = 'galley_probe'

/** The text whose HMAC proves that the response came from a Galley with the same secret. */
export const probeText = (nonce: string): string => `galley-probe-answer:${nonce}`
