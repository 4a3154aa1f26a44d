/** More words than a person types. A pasted book would block the main thread for seconds. */
const maxWords = 32

/**
 * Converts typed text to an FTS5 query: every word is quoted, which removes all operators, and matches as a prefix, so that
 * results appear while typing. null if there is no word. Combining accents are part of their word, as in the index.
 */
export function searchQuery(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)?.slice(0, maxWords)
  return words ? words.map((word) => `"${word}"*`).join(' ') : null
}
