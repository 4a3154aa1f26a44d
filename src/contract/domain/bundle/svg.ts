import { cssReferences } from './page-references.ts'

/**
 * Elements that run script, embed documents, or ask a reader for something. A prefix may be any word: `é:script` is a
 * script where `é` stands for its namespace.
 */
const activeElement =
  /<(?:[^\s<>/:"'=]+:)?(?:script|iframe|frame|frameset|object|embed|applet|handler|listener|html|body|base|link|meta|form)\b/i
const eventHandler = /[\s"'/]on[a-z]+\s*=/i
const movedLink = /attributename\s*=\s*["']?\s*(?:[^\s<>/:"'=]+:)?(?:href|on)/i
const scriptAddress = /(?:javascript|vbscript)\s*:|data\s*:\s*(?:text\/html|image\/svg|application\/xhtml|text\/xml)/i
const styleSheet = /<\?xml-stylesheet/i
/** An entity whose text is markup, is encoded once more, or comes from elsewhere. Drawing programs declare plain ones. */
const activeEntity =
  /<!entity\s+(?:%|[^\s"'>]+\s+(?:system|public)\b|[^\s"'>]+\s+(?:"[^"]*[<&%][^"]*"|'[^']*[<&%][^']*'))/i

/** Attributes that elements have without naming them; `on…` and links may be among them. */
const attributeDefaults = /<!attlist/i
/** A link that an entity is part of: the drawing itself says what is in it, in as many pieces as it likes. */
const entityLink = /href\s*=\s*(?:"[^"]*|'[^']*)&(?!#|amp;|lt;|gt;|quot;|apos;)[^\s;"'<>]/i

/** The beginning of an address on another site, wherever the drawing lies; browsers read `\\` as `/`. */
const outside = String.raw`\s*(?:(?:https?|ftp|wss?):|[\\/]{2})`

/** What a tag loads from another site when the drawing is opened. Links that a reader follows are on `a`. */
const outsideFile = new RegExp(
  String.raw`<(?!(?:[^\s<>/:"'=]+:)?a[\s/>])[^\s<>!?/][^<]*?[\s"'](?:(?!xmlns:)[^\s<>/:"'=]+:)?(?:href|src|poster|background|base)\s*=\s*["']${outside}`,
  'i',
)
const outsideSources = /<[^<]*?[\s"']srcset\s*=\s*["'][^"'<]*(?:(?:https?|ftp):|[\\/]{2})/i
const outsideStyle = new RegExp(String.raw`\burl\(\s*(?:["']|&quot;|&apos;)?${outside}|image-set\([^)]*[\\/]{2}`, 'i')

/** A function of CSS that is spelled with escapes, in any attribute that is CSS. */
const escapedStyle = /=\s*(?:"[^"<]*\\[0-9a-f][^"<]*\(|'[^'<]*\\[0-9a-f][^'<]*\()/i

/** A whole tag of an element that shows a picture: its values hold no `<`, so that it is a tag wherever it stands. */
const pictureTag = /<(?:[^\s<>/:"'=]+:)?(?:image|img|feimage)(?:\s+[^\s<>/"'=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>/gi

/** Drawings inside the drawing: in a picture or a style browsers run nothing of them. */
const withoutInnerDrawings = (text: string): string =>
  text
    .replace(pictureTag, (tag) => tag.replace(/(=\s*["'])\s*data:image\/svg\+xml[^"']*/gi, '$1'))
    .replace(/\burl\(\s*(?:["']|&quot;|&apos;)?\s*data:image\/svg\+xml/gi, 'url(')

/** Only these namespaces have scripts in them. An XML file may also get them by a style sheet, or out of its entities. */
const activeNamespace = /w3\.org\/(?:1999\/xhtml|2000\/svg)|<\?xml-stylesheet|<!doctype/i

/** Whether an XML file, read as UTF-8, runs nothing when it is opened as a page of its own: browsers show it as a tree. */
export const isPassiveXml = (text: string): boolean =>
  !/[\0\uFFFD]/.test(text) &&
  !/<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])/i.test(text) &&
  !activeNamespace.test(withoutNumbers(text).replace(/[\t\r\n]+/g, ''))

/** Encodings of one byte a character that have ASCII in its places: read as UTF-8, the markup in them is the same. */
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

/** Characters written as numbers, which could spell any of the patterns. */
const withoutNumbers = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

/** Whether a drawing has a style sheet that may load something: `cleanSvg` reads it. */
export function hasLoadingStyle(text: string): boolean {
  const start = text.search(/<(?:[^\s<>/:"'=]+:)?style\b/i)
  return start !== -1 && /@import|[\\&]|\/\//i.test(text.slice(start))
}

/** Whether a style sheet inside a drawing loads something from another site, or hides what it loads in an entity. */
export function loadsOutside(style: string): boolean {
  const css = withoutNumbers(style.replace(/<!\[CDATA\[|\]\]>|<!--[^]*?-->/g, ''))
  if (/&(?!#|amp;|lt;|gt;|quot;|apos;)/.test(css)) return true
  const plain = css.replace(/&(?:quot|apos);/g, '"')
  return [plain, withoutEscapes(plain)].some((each) => cssReferences(each).some(({ ref }) => isOutside.test(ref)))
}

/** Escaped letters, colons and slashes of CSS as themselves: they may spell `url(` or an address, and end no string. */
const withoutEscapes = (css: string): string =>
  css
    .replace(/\\0{0,4}(2f|3a|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])[ \t\n\f\r]?/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\\([g-z])/gi, '$1')

const isOutside = new RegExp(`^${outside}`, 'i')

/**
 * Whether an SVG, read as UTF-8, does nothing but show a picture of its own when it is opened as a page of its own. Read as text and on
 * the safe side: what merely looks active counts as active, and so does every encoding in which it could hide.
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
