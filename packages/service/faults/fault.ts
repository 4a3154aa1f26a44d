/** The kinds of faults that can be ordered, with their effects. */
export const faultKinds = {
  delay: 'the callback reaches the site later (ms)',
  drop: 'the callback never reaches the site',
  drop_answer: "the callback reaches the site, but the site's response is lost",
  duplicate: 'the callback is delivered twice in a row; the second response counts',
  wrong_signature: 'the callback carries a wrong signature',
  out_of_order: 'the callback of a save is held until the next save of that material is delivered (ms at most)',
  truncated_download: 'a download breaks off (at_byte)',
  slow_download: 'a download arrives in small pieces, with a pause before each (ms)',
  error_500: 'session/open or a download returns HTTP status 500',
} as const

export type FaultKind = keyof typeof faultKinds

/** An ordered fault. */
export interface Fault {
  readonly kind: FaultKind
  /** Remaining number of times. */
  readonly times: number
  readonly ms?: number
  readonly at_byte?: number
}

export const isFaultKind = (kind: unknown): kind is FaultKind =>
  typeof kind === 'string' && Object.hasOwn(faultKinds, kind)
