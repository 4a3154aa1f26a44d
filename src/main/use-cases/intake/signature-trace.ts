import { createHash } from 'node:crypto'

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

export const hashOf = (signature: string): string => createHash('sha256').update(signature).digest('hex')

export function traceOf(header: string): SignatureTrace {
  const trimmed = header.trim()
  const [first = ''] = trimmed.split(',')
  const one = first.trim()
  return {
    hash: hashOf(one.toLowerCase()),
    form: {
      length: trimmed.length,
      isHex: /^[0-9a-f]{64}$/i.test(one),
      hasBlanks: header !== trimmed || /\s/.test(trimmed.replaceAll(/,\s/g, ',')),
      hasUpperCase: /[A-F]/.test(one),
      isSeveral: trimmed.includes(','),
    },
  }
}
