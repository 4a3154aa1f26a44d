import type { CallProblem } from '../contract/ipc.ts'
import { fail } from '../contract/result.ts'
import type { Result } from '../contract/result.ts'
import { texts } from './texts.ts'

/** A call that rejects is a fault of main, which has logged it; the person is told calmly, in the same shape. */
export const orProblem = <Value>(answer: Promise<Result<Value, CallProblem>>): Promise<Result<Value, CallProblem>> =>
  answer.catch(() => fail({ code: 'unexpected', message: texts.unexpected }))
