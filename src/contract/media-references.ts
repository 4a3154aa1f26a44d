import type { MediaReference } from './log/changes.ts'
import { percentDecoded } from './public-url.ts'

/** Ends where a URL ends in markup, CSS, a srcset or a JSON string; a slash may be written as `\/`. */
const mediaUrl = /\/media\\?\/([0-9a-f]{32})\\?\/([^"'\s<>()\\?#&,;]+)/g

/**
 * The media files of a library that page and state name by their public URL, whatever its base, without those that
 * `own` holds (starts of hashes, 32 hex digits). Rather one too many than one too few: what is named is not deleted.
 */
export function mediaReferences(texts: readonly string[], own: ReadonlySet<string>): readonly MediaReference[] {
  const found = new Map<string, MediaReference>()
  for (const text of texts) {
    for (const [, hashStart = '', encoded = ''] of text.matchAll(mediaUrl)) {
      if (own.has(hashStart)) continue
      const name = percentDecoded(encoded) ?? encoded
      found.set(`${hashStart}/${name}`, { hashStart, name })
    }
  }
  return [...found.values()]
}
