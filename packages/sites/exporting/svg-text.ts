import { gunzipSync } from 'node:zlib'

import { cleanSvg } from '../bundle/clean-svg.ts'
import { withLocalPaths } from '../bundle/render/local-paths.ts'
import { hasLoadingStyle, isPassiveSvg } from '../bundle/svg.ts'

/** What an export writes for a drawing: the stored file, a text, or a download, because it could run scripts. */
export type WrittenDrawing = { readonly kind: 'stored' | 'active' } | { readonly kind: 'text'; readonly text: string }

/** `urls`: those in the drawing that lead to files of the bundle. */
export function writtenDrawing(
  bytes: Uint8Array,
  urls: readonly string[],
  pathByUrl: (url: string) => string | null,
): WrittenDrawing {
  const stored = svgText(bytes)
  const text = urls.length === 0 ? stored : withLocalPaths('drawing', stored, urls, pathByUrl)
  // A drawing that nothing needs to change keeps its encoding.
  const shown = text === stored ? new TextDecoder().decode(bytes) : text
  const isPassive = isPassiveSvg(shown) && !hasLoadingStyle(shown)
  const written = isPassive ? text : cleanSvg(text)
  if (written === null) return { kind: 'active' }
  return written === stored && !isPacked(bytes) ? { kind: 'stored' } : { kind: 'text', text: written }
}

const named = /^(<\?xml[^>]*\sencoding\s*=\s*)(["'])([\w.:-]+)\2/i

/** More than typical drawings and caption tracks. A larger file is not read and counts as active content. */
export const xmlMaxBytes = 16 * 1024 ** 2

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * The text of an SVG for a bundle: unpacked, decoded from the encoding that it declares, and declaring UTF-8. Empty if it cannot
 * be unpacked.
 */
export function svgText(stored: Uint8Array): string {
  const bytes = isPacked(stored) ? unpacked(stored) : stored
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const [mark] = /^(?:\xff\xfe|\xfe\xff)/.exec(start) ?? []
  const declared = named.exec(start)?.[3] ?? 'utf-8'
  // Programs that could read the declaration, browsers included, do not read UTF-16.
  const label =
    mark === '\xff\xfe'
      ? 'utf-16le'
      : mark === '\xfe\xff'
        ? 'utf-16be'
        : /^utf-?16/i.test(declared)
          ? 'utf-8'
          : declared
  return decoded(bytes, label).replace(named, '$1$2UTF-8$2')
}

function decoded(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: xmlMaxBytes })
  } catch {
    return new Uint8Array()
  }
}
