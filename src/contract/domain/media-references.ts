import type { MediaReference } from './changes.ts'
import { percentDecoded } from '../protocol/public-url.ts'

/** Ends where a URL ends in markup, CSS, srcset or a JSON string. A slash may be written as `\/`. */
const mediaUrl = /\/media\\?\/([0-9a-f]{32})\\?\/([^"'\s<>()\\?#&,;]+)/g

/** Identifies a file by what its URL names. The name counts too: equal bytes are served by every name that was saved. */
export const referenceKey = ({ hashStart, name }: MediaReference): string => `${hashStart}/${name}`

/**
 * The media files to which page and state refer by public URL, except those in `own` (keys of references). `bases` are
 * the accepted base URLs without a trailing slash; null accepts any, because an unnecessary reference only keeps a file
 * longer.
 */
export function mediaReferences(
  texts: readonly string[],
  own: ReadonlySet<string>,
  bases: readonly string[] | null = null,
): readonly MediaReference[] {
  const found = new Map<string, MediaReference>()
  const starts = bases?.flatMap((base) => [base, base.replaceAll('/', String.raw`\/`)])
  for (const text of texts) {
    for (const { 1: hashStart = '', 2: encoded = '', index } of text.matchAll(mediaUrl)) {
      if (starts && !starts.some((start) => text.startsWith(start, index - start.length))) continue
      const reference = { hashStart, name: percentDecoded(encoded) ?? encoded }
      const key = referenceKey(reference)
      if (!own.has(key)) found.set(key, reference)
    }
  }
  return [...found.values()]
}
