import type { CallProblem } from '../../contract/ipc/problem.ts'
import { fail } from '../../contract/result.ts'
import type { Result } from '../../contract/result.ts'

/** A call that rejects is a fault of main, which has logged it; the person is told calmly, in the same shape. */
export const orProblem = <Value>(answer: Promise<Result<Value, CallProblem>>): Promise<Result<Value, CallProblem>> =>
  answer.catch(() => fail({ code: 'unexpected' }))

/** What a pane shows: one state at a time, never a set of flags. A failure without a problem is a fault main has logged. */
export type View<Items> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly items: Items }
  | { readonly kind: 'failed'; readonly problem: CallProblem | null }

/** Waits for a read and makes it a view; a rejected read is a fault that main has logged already. */
export const viewOf = <Items>(answer: Promise<Items>): Promise<View<Items>> =>
  answer.then(
    (items): View<Items> => ({ kind: 'ready', items }),
    (): View<Items> => ({ kind: 'failed', problem: null }),
  )

/** The items of a view, or an empty list while there is none. */
export const itemsOf = <Item>(view: View<readonly Item[]>): readonly Item[] => (view.kind === 'ready' ? view.items : [])
