import type { ShownHeader } from '../../views/callbacks.ts'
import type { ProblemFacts } from '../../views/problem.ts'
import type { ReadHandle } from '../database/read-handle.ts'

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

interface Row {
  headers: string | null
  payload: string | null
  body_bytes: number | null
  signature_hash: string | null
  signature_form: string | null
  facts: string
}

/** The stored parts of a callback's request, and the facts of its failure. */
export interface LoggedRequest {
  readonly headers: readonly ShownHeader[]
  /** Redacted JSON text. */
  readonly payload: string | null
  readonly bodyBytes: number | null
  readonly trace: SignatureTrace | null
  readonly facts: ProblemFacts
}

export function createCallbackRequests(db: ReadHandle) {
  const one = db.prepare<[string], Row>(
    'SELECT headers, payload, body_bytes, signature_hash, signature_form, facts FROM callback WHERE id = ?',
  )
  return {
    find(id: string): LoggedRequest | null {
      const row = one.get(id)
      if (!row) return null
      const { signature_hash: hash, signature_form: form } = row
      return {
        headers: row.headers === null ? [] : (JSON.parse(row.headers) as ShownHeader[]),
        payload: row.payload,
        bodyBytes: row.body_bytes,
        trace: hash === null || form === null ? null : { hash, form: JSON.parse(form) as SignatureForm },
        facts: JSON.parse(row.facts) as ProblemFacts,
      }
    },
  }
}
