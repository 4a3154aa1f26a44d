// What somebody changed while the bucket was away, one field of the library at a time. It waits on this machine and is
// written when the bucket is back, unless somebody else has changed the field meanwhile: then a person decides.

/** A field that waits. Values are texts that are equal where what they say is. */
export interface WaitingMark {
  /** What may be overwritten: all that the field held or was about to hold when its person changed it here. */
  readonly seen: readonly string[]
  readonly wanted: string
  /** What it holds instead, where a person has to decide. */
  readonly theirs: string | null
}

/** The mark after a person changed a field that shows `current`; null where nothing has to wait. */
export function marked(before: WaitingMark | null, current: string, wanted: string): WaitingMark | null {
  if (before === null) return current === wanted ? null : { seen: [current], wanted, theirs: null }
  // Kept also where it is what the field holds: an earlier value may be on its way, and nobody can tell.
  return { seen: [...new Set([...before.seen, before.wanted, current])], wanted, theirs: null }
}

/** What becomes of a mark at the end of the team's log. `current` null: there is no such field any more. */
export function judged({ seen, wanted }: WaitingMark, current: string | null): 'write' | 'written' | 'conflict' {
  if (current === wanted) return 'written'
  return current !== null && seen.includes(current) ? 'write' : 'conflict'
}

/** The mark after a person said that it counts, whatever the field holds. */
export const insisted = (mark: WaitingMark): WaitingMark =>
  mark.theirs === null ? mark : { ...mark, seen: [...mark.seen, mark.theirs], theirs: null }
