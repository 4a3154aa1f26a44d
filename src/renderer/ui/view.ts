/** What a pane shows: one state at a time, never a set of flags. */
export type View<Items> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly items: Items }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Waits for a read and makes it a view. A rejected read is a fault that main has logged already, so the pane only
 * says in its own words that the list is not there.
 */
export const viewOf = <Items>(answer: Promise<Items>, reason: string): Promise<View<Items>> =>
  answer.then(
    (items): View<Items> => ({ kind: 'ready', items }),
    (): View<Items> => ({ kind: 'failed', reason }),
  )

/** The items of a view, or an empty list while there is none. */
export const itemsOf = <Item>(view: View<readonly Item[]>): readonly Item[] => (view.kind === 'ready' ? view.items : [])
