import { cutAddresses } from '../../text/references/css.ts'
import { entities as createEntities } from '../../text/references/encodings.ts'
import { decodedView, plainView } from '../../text/references/view.ts'
import { cssReferences } from './page-references.ts'

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
/** An entity with markup, a second level of encoding, or an external source. Drawing programs declare plain ones. */
const activeEntity =
  /<!entity\s+(?:%|[^\s"'>]+\s+(?:system|public)\b|[^\s"'>]+\s+(?:"[^"]*[<&%][^"]*"|'[^']*[<&%][^']*'))/i

/** A declaration of default attributes, which may include `on…` and links. */
const attributeDefaults = /<!attlist/i
/** A link that contains an entity: the drawing defines its text, in any number of pieces. */
const entityLink = /href\s*=\s*(?:"[^"]*|'[^']*)&(?!#|amp;|lt;|gt;|quot;|apos;)[^\s;"'<>]/i

/** The start of an absolute URL on another site; browsers read `\\` as `/`. */
const outside = String.raw`\s*(?:(?:https?|ftp|wss?):|[\\/]{2})`

/** A reference to another site that is loaded when the drawing is opened. Links to click are on `a`. */
const outsideFile = new RegExp(
  String.raw`<(?!(?:[^\s<>/:"'=]+:)?a[\s/>])[^\s<>!?/][^<]*?[\s"'](?:(?!xmlns:)[^\s<>/:"'=]+:)?(?:href|src|poster|background|base)\s*=\s*["']${outside}`,
  'i',
)
const outsideSources = /<[^<]*?[\s"']srcset\s*=\s*["'][^"'<]*(?:(?:https?|ftp):|[\\/]{2})/i
const outsideStyle = new RegExp(String.raw`\burl\(\s*(?:["']|&quot;|&apos;)?${outside}|image-set\([^)]*[\\/]{2}`, 'i')

/** A CSS function spelled with escapes, in any attribute that contains CSS. */
const escapedStyle = /=\s*(?:"[^"<]*\\[0-9a-f][^"<]*\(|'[^'<]*\\[0-9a-f][^'<]*\()/i

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
  activeEntity,
  attributeDefaults,
  entityLink,
  outsideFile,
  outsideSources,
  outsideStyle,
  escapedStyle,
]

/** Numeric character references, which could spell any of the patterns. */
const withoutNumbers = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

/** Whether a drawing has a style sheet that may load something; `cleanSvg` then parses it. */
export function hasLoadingStyle(text: string): boolean {
  const start = text.search(/<(?:[^\s<>/:"'=]+:)?style\b/i)
  return start !== -1 && /@import|[\\&]|\/\//i.test(text.slice(start))
}

/** An entity that the drawing defines itself. */
const ownEntity = /&(?!#|amp;|lt;|gt;|quot;|apos;)/

/** Whether a style sheet of a drawing loads something from another site, or hides a reference in an entity. */
export function loadsOutside(style: string): boolean {
  const css = withoutNumbers(style.replace(/<!\[CDATA\[|\]\]>|<!--[^]*?-->/g, ''))
  if (ownEntity.test(css)) return true
  const plain = css.replace(/&(?:quot|apos);/g, '"')
  return [plain, withoutEscapes(plain)].some((each) => cssReferences(each).some(({ ref }) => isOnAnotherSite(ref)))
}

/**
 * A style sheet of a drawing without what it loads from another site; null if something in it could hide a reference,
 * or is not text.
 */
export function withoutOutside(style: string): string | null {
  const pieces = [...style.matchAll(/<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|([^<]+)/g)]
  const isText = pieces.map(([piece]) => piece).join('') === style
  if (!isText || pieces.some(([, , text = '']) => ownEntity.test(text))) return null
  const entities = createEntities()
  const css = pieces.map(([, data, text = '']) => data ?? decodedView(plainView(text), entities).text).join('')
  const kept = cutAddresses(css, isOnAnotherSite)
  const written = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
  return loadsOutside(written) ? null : written
}

/** Decodes escaped letters, colons and slashes of CSS: they may spell `url(` or an address, and cannot end a string. */
const withoutEscapes = (css: string): string =>
  css
    .replace(/\\0{0,4}(2f|3a|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])[ \t\n\f\r]?/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\\([g-z])/gi, '$1')

const outsideStart = new RegExp(`^${outside}`, 'i')

/** Whether an address is that of another site. */
export const isOnAnotherSite = (address: string): boolean => outsideStart.test(address)

/**
 * Whether an SVG, read as UTF-8, only shows a picture when opened as a page. Checks the text and errs on the safe side: what
 * looks active counts as active, as does every encoding that could hide it.
 */
export function isPassiveSvg(text: string): boolean {
  const isSingleByte = singleByte.test(text)
  if (text.includes('\0') || (!isSingleByte && text.includes('\uFFFD'))) return false
  if (!isSingleByte && /<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])/i.test(text)) return false
  const shown = withoutInnerDrawings(text)
  const plain = withoutNumbers(shown).replace(/&(?:tab|newline|colon);/gi, (name) => (/colon/i.test(name) ? ':' : ''))
  // Browsers drop line breaks and tabs inside addresses.
  const joined = plain.replace(/[\t\r\n]+/g, '')
  return !patterns.some((pattern) => pattern.test(plain) || pattern.test(joined))
}
