import type { Sha256 } from '@galley/wire'

import type { MediaReference } from '../records/changes.ts'
import { mayHaveBase, mediaReferences } from '../records/media-references.ts'
import type { ReferringFile } from './jobs.ts'

/** The total size of files that are read for references with their save; 25 ms per megabyte. The rest is read later. */
export const readMaxBytes = 4 * 1024 ** 2

/** With more references, inserting their rows would block the main thread for too long. */
const referencesMax = 2000

/**
 * The text of a file as a browser reads it, with absolute URLs where a base makes relative ones point to media files.
 */
export async function readableText(bytes: Uint8Array): Promise<string> {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  // Imported on demand: the parser is a fifth of the code that a start would load.
  const behindBase = mayHaveBase(text) ? await import('../records/without-base.ts') : null
  return behindBase?.withoutBase(text) ?? text
}

/** For texts that browsers read. In all other files, addresses look the same as in UTF-8. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8'
}

/**
 * The references in these files, and the texts of those that have any. Leaves out what exceeds the limits of a save.
 */
export async function readReferences(
  files: ReadonlyMap<Sha256, Uint8Array>,
): Promise<{ readonly sheets: readonly ReferringFile[]; readonly texts: readonly string[] }> {
  const sheets: ReferringFile[] = []
  const texts: string[] = []
  let [room, count] = [readMaxBytes, 0]
  for (const [sheet, bytes] of files) {
    room -= bytes.length
    if (room < 0) break
    const text = await readableText(bytes)
    const references: readonly MediaReference[] = mediaReferences([text], new Set(), { isFile: true })
    count += references.length
    if (count > referencesMax) break
    sheets.push({ sheet, references })
    if (references.length > 0) texts.push(text)
  }
  return { sheets, texts }
}
