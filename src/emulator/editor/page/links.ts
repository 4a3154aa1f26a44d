/** Addresses that a link of a page may have: nothing that runs. Relative ones and anchors belong to the site. */
export const isSafeLink = (address: string): boolean =>
  /^(?:https?:\/\/[^\s]+|mailto:[^\s]+|tel:[^\s]+|\/(?!\/)[^\s]*|#[^\s]*)$/i.test(address)

/** What was typed as an address: blanks off, `https://` in front of a bare host; null when it cannot be a link. */
export function toLink(typed: string): string | null {
  const address = typed.trim()
  if (isSafeLink(address)) return address
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(address)) return `mailto:${address}`
  const withScheme = `https://${address}`
  return /^[^\s:/]+\.[^\s:/.]{2,}(?:[:/?#][^\s]*)?$/.test(address) && URL.canParse(withScheme) ? withScheme : null
}
