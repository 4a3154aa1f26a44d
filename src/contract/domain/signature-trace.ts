/** What was wrong with the format of a signature header. The header is never stored. */
export interface SignatureForm {
  /** The number of characters without surrounding blanks. */
  readonly length: number
  readonly isHex: boolean
  readonly hasBlanks: boolean
  readonly hasUpperCase: boolean
  /** Several headers are joined by commas. */
  readonly isSeveral: boolean
}

/**
 * The stored data about an invalid signature: its format, and a hash for comparing it with other computations, which cannot
 * be used for downloads. The hash is that of the first signature in lower case.
 */
export interface SignatureTrace {
  readonly hash: string
  readonly form: SignatureForm
}
