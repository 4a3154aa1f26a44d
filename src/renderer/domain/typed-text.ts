/** The text of a field without the spaces around it; null if it is empty. */
export const textOrNull = (typed: string): string | null => typed.trim() || null

/** The tags of a field, which commas separate. */
export const tagsIn = (typed: string): readonly string[] =>
  typed
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
