/**
 * What a person typed, as an FTS5 query: every word quoted, so that no sign of the query language is left, and open at
 * its end, so that results appear while typing. Null when there is no word in it.
 */
export function searchQuery(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}]+/gu)
  return words ? words.map((word) => `"${word}"*`).join(' ') : null
}
