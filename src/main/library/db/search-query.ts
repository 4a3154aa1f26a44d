/** More words than a person types; a pasted book would hold the main thread for seconds. */
const maxWords = 32

/**
 * What a person typed, as an FTS5 query: every word quoted, so that no sign of the query language is left, and open at
 * its end, so that results appear while typing. Null when there is no word in it. Marks belong to their letter: a word
 * with a combining accent is one word, as it is in the index.
 */
export function searchQuery(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)?.slice(0, maxWords)
  return words ? words.map((word) => `"${word}"*`).join(' ') : null
}
