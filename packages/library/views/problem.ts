import type { Cause, Failure, Result } from '@galley/wire'

/** Values for the text of a callback's result. */
export type ProblemFacts = Readonly<Record<string, string | number | boolean | Cause | null>>

/** Why a call failed. `field`: the form field to correct, if there is one. */
export interface CallProblem extends Failure {
  readonly field?: string
}

/** The result of a call that can fail in an expected way. */
export type Answer<Value> = Result<Value, CallProblem>
