import { createHash } from 'node:crypto'

import type { SignatureTrace } from '../db/callback/callback-request.ts'
import type { Site } from '../records/site.ts'
import { sign } from './signature.ts'

export const hashOf = (signature: string): string => createHash('sha256').update(signature).digest('hex')

/** Tells one secret of one service from another, and contains neither: a hash of a signature, as callbacks have it too. */
export const proofOf = ({ baseUrl }: Pick<Site, 'baseUrl'>, secret: string): string => hashOf(sign('', baseUrl, secret))

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
