import { isSafeLink } from './links.ts'

/** A run of text with one style; `\n` is a line break. */
export interface Span {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
  readonly link: string | null
}

export const plain = (text: string): Span => ({ text, bold: false, italic: false, link: null })

const isAlike = (one: Span, other: Span): boolean =>
  one.bold === other.bold && one.italic === other.italic && one.link === other.link

/** Joins adjacent spans of one style and drops empty ones, so that equal texts have equal spans. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (span.text === '') continue
    if (last !== undefined && isAlike(last, span)) result[result.length - 1] = { ...last, text: last.text + span.text }
    else result.push(span)
  }
  return result
}

function readSpan(value: unknown): Span | null {
  if (typeof value === 'string') return plain(value)
  if (typeof value !== 'object' || value === null) return null
  const { text, bold = false, italic = false, link = null, ...unknown } = value as Readonly<Record<string, unknown>>
  if (Object.keys(unknown).length > 0 || typeof text !== 'string') return null
  if (typeof bold !== 'boolean' || typeof italic !== 'boolean') return null
  if (link !== null && (typeof link !== 'string' || !isSafeLink(link))) return null
  return { text, bold, italic, link }
}

/**
 * Reads the member `text` of a block: a string, or a list of strings and `{text, bold?, italic?, link?}`; null for
 * others.
 */
export function readText(value: unknown): readonly Span[] | null {
  const spans = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(readSpan)
  return spans.every((span) => span !== null) ? joined(spans) : null
}

function writeSpan({ text, bold, italic, link }: Span): unknown {
  if (!bold && !italic && link === null) return text
  return { text, ...(bold && { bold }), ...(italic && { italic }), ...(link !== null && { link }) }
}

/** The JSON text of the member `text`: a plain string unless a span is formatted. */
export function writeText(spans: readonly Span[]): string {
  const written = spans.map(writeSpan)
  return JSON.stringify(
    written.length === 0 ? '' : written.length === 1 && typeof written[0] === 'string' ? written[0] : written,
  )
}
