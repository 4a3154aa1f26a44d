import { addAll, applyEdits, cutAddresses } from '@galley/wire'
import type { Edit } from '@galley/wire'

import { withoutEntities } from './svg-entities.ts'
import { isPassiveSvg, isUnwanted, withoutOutside } from './svg.ts'

/** HTML elements inside a drawing that only contain other content: a plain box shows the same. */
const boxes = new Set(['html', 'body', 'form'])

const declaration = /<\?xml\s[^?]*\?>/y
const doctype = /<!DOCTYPE\s[^<>[\]"']+(?:"[^"]*"[^<>[\]"']*|'[^']*'[^<>[\]"']*)*>/y
const aside = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?(?!xml\s)[^]*?\?>/y
const name = String.raw`[^\s<>/"'=&;!?]+`
const startName = new RegExp(`<(${name})`, 'y')
const attribute = new RegExp(String.raw`\s+(${name})\s*=\s*(?:"[^"<]*"|'[^'<]*')`, 'y')
const startEnd = /\s*(\/?)>/y
const endTag = new RegExp(`</(${name})\\s*>`, 'y')

/** A start tag as written in the text. */
interface Tag {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly attributes: readonly { readonly start: number; readonly end: number }[]
  readonly isEmpty: boolean
}

/**
 * Removes elements, attributes and instructions from an SVG that could run, link to something that runs, or load something
 * from another site. The rest stays as it is. null: it is not well-formed XML, or could run even after that.
 *
 * Parses XML as strictly as browsers do, so that both see the same tags. `isPassiveSvg` decides about each tag, and about the
 * result as a whole. Text between tags is only shown.
 */
export function cleanSvg(text: string): string | null {
  const resolved = withoutEntities(text)
  return resolved === null ? null : (cleanedXml(resolved) ?? cleanedXml(resolved.replace(scripts, '')))
}

/** Scripts as people write them, with a bare `<`: without them, the rest may be well-formed. */
const scripts = /<((?:[^\s<>/:"'=]+:)?script)(?=[\s>])(?:[^"'>]|"[^"]*"|'[^']*')*>[^]*?<\/\1\s*>/gi

/** The same for XML. */
function cleanedXml(text: string): string | null {
  if (/[\0\uFFFD]/.test(text)) return null
  const edits: Edit[] = []
  const kept: string[] = []
  /** For each open element, its new end tag; null: it is removed with its content. */
  const open: { readonly name: string; readonly becomes: string | null; readonly start: number }[] = []
  let removedFrom: number | null = null
  let at = matchAt(declaration, text, 0)?.end ?? 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    if (next === -1) break
    const other = matchAt(aside, text, next)
    const prolog = other === null && open.length === 0 ? matchAt(doctype, text, next) : null
    const ending = matchAt(endTag, text, next)
    if (other !== null) {
      if (removedFrom === null && /^<\?xml-stylesheet/i.test(other.all)) edits.push({ ...other, text: '' })
      at = other.end
    } else if (prolog !== null) {
      kept.push(prolog.all)
      at = prolog.end
    } else if (ending !== null) {
      const element = open.pop()
      if (element?.name !== ending.group) return null
      if (element.becomes === null && removedFrom === element.start) {
        edits.push({ start: removedFrom, end: ending.end, text: '' })
        removedFrom = null
      } else if (element.becomes !== null && element.becomes !== element.name && removedFrom === null)
        edits.push({ start: ending.start, end: ending.end, text: `</${element.becomes}>` })
      at = ending.end
    } else {
      const tag = startTagAt(text, next)
      if (tag === null) return null
      const inside = removedFrom === null ? styleEdits(text, tag) : null
      const cleaned = inside && cleanTag(text, tag)
      if (cleaned === null || inside === null) {
        if (tag.isEmpty && removedFrom === null) edits.push({ start: tag.start, end: tag.end, text: '' })
        else if (removedFrom === null) removedFrom = tag.start
      } else {
        addAll(edits, inside)
        addAll(edits, cleaned.edits)
        kept.push(cleaned.shown)
      }
      if (!tag.isEmpty) open.push({ name: tag.name, becomes: cleaned?.name ?? null, start: tag.start })
      at = tag.end
    }
  }
  // Without a tag it is not a drawing, or its encoding is one that only browsers know.
  const isWhole = open.length === 0 && kept.some((tag) => !tag.startsWith('<!'))
  return isWhole && isPassiveSvg(kept.join('\n')) ? applyEdits(text, edits) : null
}

/**
 * The edits after which the style sheet of a tag loads nothing from another site; null: the whole style sheet must be
 * removed.
 */
function styleEdits(text: string, { name, end, isEmpty }: Tag): readonly Edit[] | null {
  if (isEmpty || !/^(?:[^:]+:)?style$/i.test(name)) return []
  const ending = text.indexOf(`</${name}`, end)
  const style = text.slice(end, ending === -1 ? undefined : ending)
  const kept = withoutOutside(style)
  if (kept === style) return []
  return kept === null ? null : [{ start: end, end: end + style.length, text: kept }]
}

/** The tag to write instead; null: the element is removed. */
function cleanTag(
  text: string,
  tag: Tag,
): { readonly name: string; readonly edits: readonly Edit[]; readonly shown: string } | null {
  const whole = text.slice(tag.start, tag.end)
  if (isPassiveSvg(whole)) return { name: tag.name, edits: [], shown: whole }
  const [prefix, local] = tag.name.includes(':') ? tag.name.split(':', 2) : ['', tag.name]
  const plainName = boxes.has((local ?? '').toLowerCase()) ? `${prefix === '' ? '' : `${prefix ?? ''}:`}div` : tag.name
  const edits: Edit[] = []
  if (plainName !== tag.name)
    edits.push({ start: tag.start + 1, end: tag.start + 1 + tag.name.length, text: plainName })
  for (const { start, end } of tag.attributes) {
    const written = text.slice(start, end)
    // An animation of a link sets its target. Without the attribute name it would animate something else.
    if (isPassiveSvg(`<${plainName}${written}/>`) || /^\s*attributename\b/i.test(written)) continue
    const [, name = '', quote = '', css = ''] = /^(\s*style\s*=\s*)(["'])([^&\\]*)\2$/.exec(written) ?? []
    const kept = name + quote + cutAddresses(css, isUnwanted) + quote
    edits.push({ start, end, text: isPassiveSvg(`<${plainName}${kept}/>`) ? kept : '' })
  }
  const inTag = edits.map((edit) => ({ ...edit, start: edit.start - tag.start, end: edit.end - tag.start }))
  const shown = applyEdits(whole, inTag)
  return isPassiveSvg(shown) ? { name: plainName, edits, shown } : null
}

function startTagAt(text: string, start: number): Tag | null {
  const opening = matchAt(startName, text, start)
  if (opening === null) return null
  const attributes: Tag['attributes'][number][] = []
  let at = opening.end
  for (let found = matchAt(attribute, text, at); found !== null; found = matchAt(attribute, text, at)) {
    attributes.push({ start: found.start, end: found.end })
    at = found.end
  }
  const ending = matchAt(startEnd, text, at)
  return ending === null
    ? null
    : { name: opening.group, start, end: ending.end, attributes, isEmpty: ending.group === '/' }
}

function matchAt(pattern: RegExp, text: string, start: number) {
  pattern.lastIndex = start
  const match = pattern.exec(text)
  return match === null ? null : { start, end: start + match[0].length, all: match[0], group: match[1] ?? '' }
}
