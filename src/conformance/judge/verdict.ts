/** `unchecked`: the kit could not judge, or was not asked to; `skipped`: another case failed for the same reason. */
export type Result = 'passed' | 'failed' | 'unchecked' | 'skipped'

/** What a case found, in words for whoever integrates the backend. */
export interface Verdict {
  readonly result: Result
  readonly expected: string
  readonly got: string
  /** Why it is `unchecked` or `skipped`; null for the others. */
  readonly reason: string | null
  /** Of an `unchecked` one: the contract may well want nothing of this backend here. */
  readonly isMoot?: boolean
  /** Of a `skipped` one: the failed case that accounts for it. */
  readonly cause?: string
  /** What was sent and answered, line by line, where that says more than the words. */
  readonly evidence?: readonly string[]
}

/** A problem in words, none, one that a failed case accounts for, or the reason why nobody can tell. */
export type Finding = string | null | { readonly cause: string } | Unknown

export interface Unknown {
  readonly unchecked: string
  /** Nothing to check here is no lack of the backend: what it leaves out is optional. */
  readonly isMoot?: boolean
}

/** The verdict on what was found; `otherwise` is what came where nothing is wrong. */
export function verdict(expected: string, found: Finding, otherwise = expected): Verdict {
  if (found === null) return { result: 'passed', expected, got: otherwise, reason: null }
  if (typeof found === 'string') return { result: 'failed', expected, got: found, reason: null }
  if ('cause' in found) return skipped(found.cause, expected)
  const { unchecked: reason, isMoot = false } = found
  return { result: 'unchecked', expected, got: 'not checked', reason, isMoot }
}

export const skipped = (cause: string, expected: string): Verdict => ({
  result: 'skipped',
  expected,
  got: 'not judged',
  reason: `${cause} failed`,
  cause,
})
