/** Truncates a text after a word. */
export function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const end = /^.*[\p{L}\p{N}](?=[^\p{L}\p{N}])/su.exec(cut)?.[0] ?? ''
  // Languages without spaces may have no earlier word boundary.
  const head = end.length >= maxChars / 2 ? end : cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '')
  return `${head}…`
}
