// Changes made while the bucket cannot be reached, one per field. Each waits on this computer and is written once the
// bucket can be reached, unless another member has changed the field in the meantime: then a person decides.

/** A change that waits. Values are JSON texts, in a canonical form so that equal values have equal texts. */
export interface WaitingMark {
  /**
   * Values that may be overwritten: the one before the change, then every value that the person has seen or set since.
   */
  readonly seen: readonly string[]
  readonly wanted: string
  /** The team's value if a person must decide; otherwise null. */
  readonly theirs: string | null
}

/** The mark after a person sets a field that shows `current`; null if no change needs to wait. */
export function marked(before: WaitingMark | null, current: string, wanted: string): WaitingMark | null {
  if (before === null) return current === wanted ? null : { seen: [current], wanted, theirs: null }
  // Kept even if it equals `current`, because an earlier value may still be on its way to the bucket.
  return { seen: [...new Set([...before.seen, before.wanted, current])], wanted, theirs: null }
}

/** What to do with a mark at the end of the team's log. `current` is null if the field was deleted. */
export function judged({ seen, wanted }: WaitingMark, current: string | null): 'write' | 'written' | 'conflict' {
  if (current === wanted) return 'written'
  return current !== null && seen.includes(current) ? 'write' : 'conflict'
}

/** The mark after a person chose their own value over the team's. */
export const insisted = (mark: WaitingMark): WaitingMark =>
  mark.theirs === null ? mark : { ...mark, seen: [...mark.seen, mark.theirs], theirs: null }
