/** What was wrong with the form of a signature header; its text is never kept. */
export interface SignatureForm {
  /** Characters without surrounding blanks. */
  readonly length: number
  readonly isHex: boolean
  readonly hasBlanks: boolean
  readonly hasUpperCase: boolean
  /** Several headers arrive joined by commas. */
  readonly isSeveral: boolean
}

/**
 * What the log keeps of a signature that did not fit: a hash to hold other computations against, which neither downloads
 * nor signs anything, and the form. The hash is that of the first signature in lower case.
 */
export interface SignatureTrace {
  readonly hash: string
  readonly form: SignatureForm
}
