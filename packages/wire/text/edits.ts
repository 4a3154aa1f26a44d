import { createJoined } from './joined.ts'

/** A range of a text (UTF-16 units, `end` exclusive) and its replacement. An empty range inserts. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies edits, given in any order; text outside their ranges stays. An edit inside a wider one is dropped. Without edits,
 * returns the same string.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  const joined = createJoined()
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < done) continue
    joined.add(text.slice(done, edit.start))
    joined.add(edit.text)
    done = edit.end
  }
  joined.add(text.slice(done))
  return joined.text()
}
