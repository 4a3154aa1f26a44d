/** The text of an XML element. */
export const unescaped = (xml: string): string =>
  xml.replace(/&(?:amp|lt|gt|quot|apos|#(\d{1,6})|#x([0-9a-f]{1,5}));/gi, (found, decimal?: string, hex?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return named[found.toLowerCase()] ?? found
  })

const named: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/**
 * What a key in a list may mean, the likely one first: percent-encoded with a plus sign for a space, as was asked, or as it
 * is, since some storages encode none.
 */
export function listedKeys(xml: string): readonly string[] {
  const written = unescaped(xml)
  try {
    return [decodeURIComponent(written.replaceAll('+', ' ')), written]
  } catch {
    return [written]
  }
}
