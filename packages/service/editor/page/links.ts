/** Whether a page may link to this URL: nothing that runs code. Relative URLs and anchors belong to the site. */
export const isSafeLink = (address: string): boolean =>
  /^(?:https?:\/\/[^\s]+|mailto:[^\s]+|tel:[^\s]+|\/(?!\/)[^\s]*|#[^\s]*)$/i.test(address)

/** Normalises a typed URL: trimmed, with `https://` before a bare host; null when it cannot be a link. */
export function toLink(typed: string): string | null {
  const address = typed.trim()
  if (isSafeLink(address)) return address
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(address)) return `mailto:${address}`
  const withScheme = `https://${address}`
  return /^[^\s:/]+\.[^\s:/.]{2,}(?:[:/?#][^\s]*)?$/.test(address) && URL.canParse(withScheme) ? withScheme : null
}
