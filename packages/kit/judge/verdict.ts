/** `unchecked`: not judged, or not requested; `skipped`: another case failed for the same reason. */
export type Result = 'passed' | 'failed' | 'unchecked' | 'skipped'

/** The result of a case, worded for the backend's developers. */
export interface Verdict {
  readonly result: Result
  readonly expected: string
  readonly got: string
  /** Why it is `unchecked` or `skipped`; null otherwise. */
  readonly reason: string | null
  /** For `unchecked`: the contract may not require this of the backend. */
  readonly isOptional?: boolean
  /** For `skipped`: the failed case that explains it. */
  readonly cause?: string
  /** What was sent and answered, line by line, if that adds to the description. */
  readonly evidence?: readonly string[]
}

/** A problem, no problem (null), a failed case that explains it, or why it could not be checked. */
export type Finding = string | null | { readonly cause: string } | Unknown

export interface Unknown {
  readonly unchecked: string
  /** The feature is optional, so not checking it is no fault of the backend. */
  readonly isOptional?: boolean
}

/** Builds a verdict from a finding; `otherwise` describes the result when there is no problem. */
export function verdict(expected: string, found: Finding, otherwise = expected): Verdict {
  if (found === null) return { result: 'passed', expected, got: otherwise, reason: null }
  if (typeof found === 'string') return { result: 'failed', expected, got: found, reason: null }
  if ('cause' in found) return skipped(found.cause, expected)
  const { unchecked: reason, isOptional = false } = found
  return { result: 'unchecked', expected, got: 'not checked', reason, isOptional }
}

export const skipped = (cause: string, expected: string): Verdict => ({
  result: 'skipped',
  expected,
  got: 'not judged',
  reason: `${cause} failed`,
  cause,
})
