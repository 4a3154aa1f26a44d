// Changes made without the bucket, one per field of the library. Each waits on this computer and is written when the bucket
// can be reached, unless somebody else has changed the field meanwhile: then a person decides.

/** A change that waits. Values are JSON texts; equal values have equal texts. */
export interface WaitingMark {
  /** Values that may be overwritten: the first is the one before the change; then all that the person has seen or set since. */
  readonly seen: readonly string[]
  readonly wanted: string
  /** The team's value, if a person has to decide; otherwise null. */
  readonly theirs: string | null
}

/** The mark after a person set a field that shows `current`; null if nothing has to wait. */
export function marked(before: WaitingMark | null, current: string, wanted: string): WaitingMark | null {
  if (before === null) return current === wanted ? null : { seen: [current], wanted, theirs: null }
  // Kept even if it equals `current`: an earlier value may be on its way, and nobody can tell.
  return { seen: [...new Set([...before.seen, before.wanted, current])], wanted, theirs: null }
}

/** What to do with a mark at the end of the team's log. `current` null: the field was deleted. */
export function judged({ seen, wanted }: WaitingMark, current: string | null): 'write' | 'written' | 'conflict' {
  if (current === wanted) return 'written'
  return current !== null && seen.includes(current) ? 'write' : 'conflict'
}

/** The mark after a person decided for it. */
export const insisted = (mark: WaitingMark): WaitingMark =>
  mark.theirs === null ? mark : { ...mark, seen: [...mark.seen, mark.theirs], theirs: null }
