/**
 * Where the address is in the content of a `meta` with `refresh` (HTML, "shared declarative refresh steps"); null: it names the
 * same page. `[start, end)` is without quotes and without blanks at its ends.
 */
export function refreshTarget(content: string): { readonly start: number; readonly end: number } | null {
  const [before] = /^\s*(?:\d+(?:\.[\d.]*)?|\.[\d.]*)\s*[;,\s]\s*(?:url\s*=\s*)?/i.exec(content) ?? []
  if (before === undefined) return null
  const rest = content.slice(before.length)
  const [whole, quote = '', address = ''] = /^(["'])(.*?)(?:\1|$)/s.exec(rest) ?? [rest, '', rest.trimEnd()]
  if (whole === '') return null
  const start = before.length + quote.length
  return { start, end: start + address.length }
}
