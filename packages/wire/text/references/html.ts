import type { Edit } from '../edits.ts'
import { scanHtml } from '../html/html-scan.ts'
import type { HtmlVisitor, RawText } from '../html/html-visitor.ts'
import { refreshTarget } from '../html/refresh-target.ts'
import type { WordsReader } from '../html/treeless.ts'
import { stringEnd, whitespaceEnd } from '../json/tokens.ts'
import { behindBase, frameBase } from './base.ts'
import { harvestCss } from './css.ts'
import { entities as createEntities, jsonEscapes } from './encodings.ts'
import type { Finder } from './finder.ts'
import type { Harvest, Rewritten } from './harvest.ts'
import { createHarvest, mayHold } from './harvest.ts'
import type { Encoding, TextKind, View } from './view.ts'
import { decodedView, plainView, sliceView } from './view.ts'

/**
 * The replacement for a link's address, which is decoded and trimmed; null to keep it. `isFramed`: the link is in the `srcdoc`
 * of a frame, where addresses are resolved like those of the page, but a bare `#x` is a place in the frame. `base`: the frame's
 * own, behind which its addresses are resolved, and the replacement too.
 */
export type LinkRewriter = (ref: string, isFramed: boolean, base?: string | null) => string | null

/**
 * The maximum nesting of frames that are read. The content of a frame is scanned once for each level above it, so
 * deeper ones would be costly.
 */
export const framesMax = 4

/** Attributes that hold one address, which may be that of a page. */
const linksIn: Readonly<Record<string, RegExp>> = {
  a: /^(?:xlink:)?href$/,
  area: /^href$/,
  link: /^href$/,
  form: /^action$/,
  button: /^formaction$/,
  input: /^formaction$/,
  iframe: /^(?:src|longdesc)$/,
  frame: /^(?:src|longdesc)$/,
  img: /^longdesc$/,
  embed: /^src$/,
  object: /^data$/,
  blockquote: /^cite$/,
  q: /^cite$/,
  ins: /^cite$/,
  del: /^cite$/,
}

const ofMaterial = /^galley:material\//i

/** The part of a decoded attribute value that may be the address of a page; null if there is none. */
function linkIn(element: string, name: string, value: View): View | null {
  if (element === 'meta' && name === 'content') {
    const target = refreshTarget(value.text)
    return target === null ? null : sliceView(value, target.start, target.end)
  }
  if (linksIn[element]?.test(name) !== true) return null
  // Other addresses in the head, such as a canonical one, must not change.
  return element === 'link' && !ofMaterial.test(value.text.trim()) ? null : value
}

/** Attributes whose whole value is one address. */
const addresses = /^(?:src|(?:xlink:)?href|poster|background|action|formaction|cite|longdesc)$/

const kindOf = (element: string, name: string): TextKind => {
  if (name === 'srcset' || name === 'imagesrcset') return 'candidates'
  return addresses.test(name) || (element === 'object' && name === 'data') ? 'address' : 'text'
}

/** The page of a frame: its nesting depth, and the base for its addresses if it differs from that of the page. */
interface Frame {
  readonly depth: number
  readonly base: string | null
}

export interface RewrittenHtml extends Rewritten {
  /** Scripts that mention a reference and were left unchanged, each as a short label for a person. */
  readonly skippedScripts: readonly string[]
}

/**
 * Looks for references in the string values of this JSON. Keys stay, because scripts look them up. A string may hold markup,
 * so it is also read with entities decoded. The JSON need not be valid, so slightly invalid payloads keep working.
 */
function harvestJson(view: View, harvest: Harvest, find: Finder, entities: Encoding): void {
  const { text } = view
  for (let at = text.indexOf('"'); at !== -1;) {
    const end = stringEnd(text, at)
    const isKey = text[whitespaceEnd(text, end)] === ':'
    const start = at + 1
    if (!isKey)
      harvest.once('json', view.rawStart(start), view.rawStart(end), () => {
        const string = sliceView(view, start, end)
        if (!mayHold(string.text, find)) return
        const value = decodedView(string, jsonEscapes)
        harvest.visit([value, decodedView(value, entities)])
      })
    at = text.indexOf('"', end)
  }
}

/**
 * Replaces the references of a page in attributes (except `alt`), srcset, CSS and JSON scripts. Text, comments, `alt`, other
 * scripts and every byte outside the references stay; a page without references returns as the same string. Passes the text
 * to `words` and link addresses to `rewriteLink`.
 */
export function rewriteHtml(
  html: string,
  find: Finder,
  words: WordsReader | null = null,
  rewriteLink: LinkRewriter | null = null,
): RewrittenHtml {
  if (rewriteLink === null && !mayHold(html, find)) {
    if (words !== null) scanHtml(html, null, words)
    return { text: html, missing: [], skippedScripts: [] }
  }
  const harvest = createHarvest(html, find)
  const entities = createEntities()
  const skippedScripts: string[] = []
  let scripts = 0

  /** The edit that rewrites the link in a decoded attribute value; null to keep it. */
  function rewrittenLink(element: string, name: string, value: View, frame?: Frame): Edit | null {
    const found = linkIn(element, name, value)
    if (found === null) return null
    // Browsers remove line breaks and tabs from addresses, and blanks at both ends.
    const ref = found.text.replace(/[\t\n\r]+/g, '').trim()
    const link = rewriteLink?.(ref, frame !== undefined, frame?.base ?? null) ?? null
    if (link === null) return null
    // Each frame around it is an attribute of its own.
    const text = attributeText(link).replaceAll('&', `&${'amp;'.repeat(frame?.depth ?? 0)}`)
    return { start: found.rawStart(0), end: found.rawEnd(found.text.length), text }
  }

  /** Replaces the links in the page of a frame, the value of its `srcdoc`, and in the frames of that page. */
  function visitFrame(value: View, around: Frame = { depth: 0, base: null }): void {
    if (around.depth === framesMax) return
    const own = frameBase(value.text)
    const base = own === null || around.base === null ? (own ?? around.base) : behindBase(around.base, own)
    const frame = { depth: around.depth + 1, base }
    scanHtml(value.text, {
      attribute({ element, name, start, end }) {
        const inside = decodedView(sliceView(value, start, end), entities)
        const edit = rewrittenLink(element, name, inside, frame)
        if (edit !== null) harvest.replace(edit)
        else if (element === 'iframe' && name === 'srcdoc') visitFrame(inside, frame)
      },
      rawText: () => undefined,
    })
  }

  const visitor: HtmlVisitor = {
    attribute({ element, name, start, end }) {
      if (name === 'alt') return
      if (rewriteLink !== null) {
        const value = decodedView(plainView(html, start, end), entities)
        const edit = rewrittenLink(element, name, value)
        if (edit !== null) return harvest.replace(edit)
        if (element === 'iframe' && name === 'srcdoc') {
          visitFrame(value)
          // Relative paths to files would be resolved behind its base.
          if (frameBase(value.text) !== null) return
        }
      }
      const textKind = kindOf(element, name)
      const kind = name === 'style' ? name : textKind
      harvest.once(kind, start, end, () => {
        const raw = plainView(html, start, end, textKind)
        if (!mayHold(raw.text, find)) return
        if (name === 'style') harvestCss(decodedView(raw, entities), { visit: harvest.visit })
        else harvest.visit(readings(raw, entities))
      })
    },
    rawText(content) {
      const { element, start, end, isForeign } = content
      if (element === 'script') scripts++
      const raw = plainView(html, start, end)
      if (!mayHold(raw.text, find)) return
      if (element === 'style' && isForeign) harvestCss(decodedView(raw, entities), { visit: harvest.visit })
      else if (element === 'style') harvestCss(raw, harvest)
      else if (isJson(content)) harvestJson(raw, harvest, find, entities)
      else if (mentions(raw.text, find)) skippedScripts.push(`script ${scripts}: ${excerpt(raw.text, find)}`)
    },
    // Links are rewritten only in a page that is put into another document.
    ...(rewriteLink !== null && { repair: harvest.replace }),
  }
  scanHtml(html, visitor, words)
  return { ...harvest.finish(), skippedScripts }
}

/** All ways to read an attribute value. */
function readings(raw: View, entities: Encoding): readonly View[] {
  const value = decodedView(raw, entities)
  // The value may be JSON, or markup such as in srcdoc.
  const decoded = [value, decodedView(value, jsonEscapes)]
  if (value.text.includes('<')) decoded.push(decodedView(value, entities))
  // A name that contains an unescaped `&`. Matches without one are also found decoded.
  const admits = (start: number, end: number): boolean => raw.text.slice(start, end).includes('&')
  return raw === value ? decoded : [{ ...raw, kind: 'text', admits }, ...decoded]
}

/** Escapes an address for an attribute, quoted or not. */
const attributeText = (address: string): string =>
  address
    .replace(/["'<>`\s]/g, encodeURIComponent)
    .replaceAll("'", '%27')
    .replaceAll('&', '&amp;')

/** The editor marks its payload with this attribute, whatever its type. */
const payloadMark = 'data-vrstk-article-payload'

const jsonType = /^(?:application\/json|text\/json|[^\s;/]+\/[^\s;/]+\+json|importmap|speculationrules)$/

function isJson({ attributes }: RawText): boolean {
  const [type = ''] = (attributes.get('type') ?? '').split(';')
  return attributes.has(payloadMark) || jsonType.test(type.trim().toLowerCase())
}

const headIn = (text: string, find: Finder): number => {
  const mention = find.mentions ?? find.heads
  return mention === undefined ? (find(text)[0]?.start ?? -1) : text.search(mention)
}

const mentions = (text: string, find: Finder): boolean => headIn(text, find) !== -1

/** A few characters around the first match, on one line. */
function excerpt(text: string, find: Finder): string {
  const at = headIn(text, find)
  return text
    .slice(Math.max(0, at - 20), at + 40)
    .replace(/\s+/g, ' ')
    .toWellFormed()
    .trim()
}
