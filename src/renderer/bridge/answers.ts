import type { Answer, CallProblem } from '@galley/library/records'
import { fail } from '@galley/wire'
import type { Result } from '@galley/wire'

/** A rejected call is a bug in main, which logs it; turn it into an ordinary failure. */
export const catchUnexpected = <Value>(
  answer: Promise<Result<Value, CallProblem>>,
): Promise<Result<Value, CallProblem>> => answer.catch(() => fail({ code: 'unexpected' }))

/** The state of a pane. A failure without a problem is a bug that main has logged. */
export type View<Items> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly items: Items }
  | { readonly kind: 'failed'; readonly problem: CallProblem | null }

/** Turns a read into a view; main has already logged a rejected read. */
export const viewOf = <Items>(answer: Promise<Items>): Promise<View<Items>> =>
  answer.then(
    (items): View<Items> => ({ kind: 'ready', items }),
    (): View<Items> => ({ kind: 'failed', problem: null }),
  )

/** The view of an answer that may be a failure. */
export const viewOfAnswer = <Items>(answer: Answer<Items>): View<Items> =>
  answer.ok ? { kind: 'ready', items: answer.value } : { kind: 'failed', problem: answer.failure }

/** The view of a call whose answer may be a failure; main has already logged a rejected one. */
export const viewOfCall = <Items>(call: Promise<Answer<Items>>): Promise<View<Items>> =>
  call.then(viewOfAnswer, (): View<Items> => ({ kind: 'failed', problem: null }))

/** The items of a view; empty until it is ready. */
export const itemsOf = <Item>(view: View<readonly Item[]>): readonly Item[] => (view.kind === 'ready' ? view.items : [])
