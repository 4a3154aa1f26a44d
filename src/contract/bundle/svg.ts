/** Elements that run script, embed documents, or rewrite links and handlers while the picture moves. */
const activeElement =
  /<(?:[\w.-]+:)?(?:script|foreignobject|iframe|object|embed|handler|listener|html|body|link|meta)\b/i
const eventHandler = /[\s"'/]on[a-z]+\s*=/i
const movedLink = /attributename\s*=\s*["']?\s*(?:[\w.-]+:)?(?:href|on)/i
const scriptAddress = /(?:javascript|vbscript)\s*:|data\s*:\s*(?:text\/html|image\/svg|application\/xhtml|text\/xml)/i
const styleSheet = /<\?xml-stylesheet/i
/** An entity whose text is markup, is encoded once more, or comes from elsewhere. Drawing programs declare plain ones. */
const activeEntity =
  /<!entity\s+(?:%|[^\s"'>]+\s+(?:system|public)\b|[^\s"'>]+\s+(?:"[^"]*[<&%][^"]*"|'[^']*[<&%][^']*'))/i

const patterns = [activeElement, eventHandler, movedLink, scriptAddress, styleSheet, activeEntity]

/** Characters written as numbers, which could spell any of the patterns. */
const withoutNumbers = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

/**
 * Whether an SVG does nothing but show a picture when it is opened as a page of its own. Read as text and on the safe
 * side: what merely looks active counts as active, and so does every encoding but UTF-8, in which it could hide.
 */
export function isPassiveSvg(text: string): boolean {
  if (/[\0\uFFFD]/.test(text) || /<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])/i.test(text)) return false
  const plain = withoutNumbers(text).replace(/&(?:tab|newline|colon);/gi, (name) => (/colon/i.test(name) ? ':' : ''))
  // Browsers drop line breaks and tabs inside addresses.
  const joined = plain.replace(/[\t\r\n]+/g, '')
  return !patterns.some((pattern) => pattern.test(plain) || pattern.test(joined))
}
