import type { MediaReference } from './changes.ts'
import { percentDecoded } from '../protocol/public-url.ts'

/** Ends where a URL ends in markup, CSS, a srcset or a JSON string; a slash may be written as `\/`. */
const mediaUrl = /\/media\\?\/([0-9a-f]{32})\\?\/([^"'\s<>()\\?#&,;]+)/g

/**
 * The media files of a library that page and state name by their public URL, without those that `own` holds (starts of
 * hashes, 32 hex digits). `bases` are the addresses that count, without a slash at the end; null: any, since what is
 * named is not deleted, and one too many does no harm.
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
      if (own.has(hashStart)) continue
      if (starts && !starts.some((start) => text.startsWith(start, index - start.length))) continue
      const name = percentDecoded(encoded) ?? encoded
      found.set(`${hashStart}/${name}`, { hashStart, name })
    }
  }
  return [...found.values()]
}
