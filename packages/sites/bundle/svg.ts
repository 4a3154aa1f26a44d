import { cutAddresses, decodedView, entities as createEntities, plainView } from '@galley/wire'

/**
 * Elements that run scripts, embed documents, or ask for input. The prefix may be any word: `é:script` is a script if `é` is
 * bound to that namespace.
 */
const activeElement =
  /<(?:[^\s<>/:"'=]+:)?(?:script|iframe|frame|frameset|object|embed|applet|handler|listener|html|body|base|link|meta|form)\b/i
const eventHandler = /[\s"'/]on[a-z]+\s*=/i
const movedLink = /attributename\s*=\s*["']?\s*(?:[^\s<>/:"'=]+:)?(?:href|on)/i
const scriptAddress = /(?:javascript|vbscript)\s*:|data\s*:\s*(?:text\/html|image\/svg|application\/xhtml|text\/xml)/i
const styleSheet = /<\?xml-stylesheet/i
/** Declarations of entities and of default attributes, either of which may be `on…`, a link, or anything else. */
const declarations = /<!(?:entity|attlist)/i
/** A character by a name that is not XML's own: the drawing defines it, or its document type does. */
const namedCharacter = /&(?!(?:amp|lt|gt|quot|apos);)[^\s#;&<>"']+;/

/** The start of an absolute URL on another site; browsers read `\\` as `/`. */
const outside = String.raw`\s*(?:(?:https?|ftp|wss?):|[\\/]{2})`

/** A reference to another site that is loaded when the drawing is opened. Links to click are on `a`. */
const outsideFile = new RegExp(
  String.raw`<(?!(?:[^\s<>/:"'=]+:)?a[\s/>])[^\s<>!?/][^<]*?[\s"'](?:(?!xmlns:)[^\s<>/:"'=]+:)?(?:href|src|poster|background|base)\s*=\s*["']${outside}`,
  'i',
)
const outsideSources = /<[^<]*?[\s"']srcset\s*=\s*["'][^"'<]*(?:(?:https?|ftp):|[\\/]{2})/i

/** An attribute and its value, from any `=` on: quotes in text around it do not matter. */
const attributeValue = /=(?=\s*(?:"([^"<]*)"|'([^'<]*)'))/g

/** A complete tag of an element that shows a picture. Its values contain no `<`, so it is a tag in any context. */
const pictureTag = /<(?:[^\s<>/:"'=]+:)?(?:image|img|feimage)(?:\s+[^\s<>/"'=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>/gi

/** Nested drawings as data URLs: browsers run no scripts of images in pictures and styles. */
const withoutInnerDrawings = (text: string): string =>
  text
    .replace(pictureTag, (tag) => tag.replace(/(=\s*["'])\s*data:image\/svg\+xml[^"']*/gi, '$1'))
    .replace(/\burl\(\s*(?:["']|&quot;|&apos;)?\s*data:image\/svg\+xml/gi, 'url(')

/** Only elements in these namespaces run scripts. An XML file may also get them from a style sheet or its entities. */
const activeNamespace = /w3\.org\/(?:1999\/xhtml|2000\/svg)|<\?xml-stylesheet|<!doctype/i

/** Whether an XML file, read as UTF-8, runs nothing when opened as a page: browsers show it as a tree. */
export const isPassiveXml = (text: string): boolean =>
  !/[\0\uFFFD]/.test(text) &&
  !/<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])/i.test(text) &&
  !activeNamespace.test(withoutNumbers(text).replace(/[\t\r\n]+/g, ''))

/** Single-byte encodings that extend ASCII: read as UTF-8, their markup is the same. */
const singleByte = /^<\?xml[^>]*\sencoding\s*=\s*["'](?:iso-8859-\d{1,2}|windows-125\d)["']/i

const patterns = [
  activeElement,
  eventHandler,
  movedLink,
  scriptAddress,
  styleSheet,
  declarations,
  outsideFile,
  outsideSources,
]

/** Numeric character references, which could spell any of the patterns. */
export const withoutNumbers = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

/** Whether a drawing has a style sheet that may load something; `cleanSvg` then parses it. */
export function hasLoadingStyle(text: string): boolean {
  const start = text.search(/<(?:[^\s<>/:"'=]+:)?style\b/i)
  // Browsers drop line breaks and tabs inside addresses.
  return start !== -1 && /@import|[\\&]|\/\/|(?:https?|ftp|wss?):/i.test(text.slice(start).replace(/[\t\r\n]+/g, ''))
}

/**
 * A style sheet of a drawing without what it loads from another site, the same text if that is nothing; null if it is not
 * only text.
 */
export function withoutOutside(style: string): string | null {
  const pieces = [...style.matchAll(/<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|([^<]+)/g)]
  if (pieces.map(([piece]) => piece).join('') !== style) return null
  const css = pieces.map(([, data, text = '']) => data ?? decoded(text)).join('')
  const kept = cutAddresses(css, isUnwanted)
  if (kept === css) return style
  const written = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
  return loadsOutside(kept) ? null : written
}

const decoded = (text: string): string => decodedView(plainView(text), entities).text
const entities = createEntities()

/** Whether CSS loads something from another site. Decides by tokens and decoded addresses, as browsers do. */
const loadsOutside = (css: string): boolean => cutAddresses(css, isUnwanted) !== css

/** Whether an attribute contains CSS that does; custom properties may be used elsewhere. */
function hasLoadingAttribute(text: string): boolean {
  for (const [, double, single] of text.matchAll(attributeValue)) {
    const css = decoded(double ?? single ?? '')
    if (/\(|--/.test(css) && /[\\/:]/.test(css) && loadsOutside(css)) return true
  }
  return false
}

const outsideStart = new RegExp(`^${outside}`, 'i')

/** Data that cannot be a style sheet, which may load further ones. */
const otherData = /^\s*data:(?!\s*(?:image|font|application|audio|video)\/)/i

/** Whether to cut an address from the CSS of a drawing: it is on another site, or may be a style sheet that is not checked. */
export function isUnwanted(address: string): boolean {
  // Browsers drop line breaks and tabs inside addresses.
  const joined = address.replace(/[\t\r\n]+/g, '')
  return outsideStart.test(joined) || otherData.test(joined)
}

/**
 * Whether an SVG, read as UTF-8, only shows a picture when opened as a page. Checks the text and errs on the safe side: what
 * looks active counts as active, as does every encoding and every entity that could hide it.
 */
export function isPassiveSvg(text: string): boolean {
  const isSingleByte = singleByte.test(text)
  if (text.includes('\0') || (!isSingleByte && text.includes('\uFFFD'))) return false
  if (!isSingleByte && /<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])/i.test(text)) return false
  if (namedCharacter.test(text) || hasLoadingAttribute(text)) return false
  const plain = withoutNumbers(withoutInnerDrawings(text))
  // Browsers drop line breaks and tabs inside addresses.
  const joined = plain.replace(/[\t\r\n]+/g, '')
  return !patterns.some((pattern) => pattern.test(plain) || pattern.test(joined))
}
