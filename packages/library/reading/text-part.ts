import type { FileSlice } from '@galley/platform'

import type { Vault } from '../vault/vault.ts'
import type { TextPart } from '../views/versions.ts'

/** Reads a part of a stored UTF-8 text. `offset` must be 0 or the `nextOffset` of the previous part. */
export async function readTextPart(
  vault: Vault,
  slice: FileSlice,
  offset: number,
  maxBytes: number,
): Promise<TextPart> {
  const totalBytes = slice.sizeBytes
  const start = Math.min(offset, totalBytes)
  const wanted = Math.min(maxBytes, totalBytes - start)
  const bytes = await vault.readBytes({ file: slice.file, offset: slice.offset + start, sizeBytes: wanted })
  const end = start + wanted === totalBytes ? wanted : wholeCharacters(bytes)
  const nextOffset = start + end
  return {
    text: bytes.toString('utf8', 0, end),
    offset: start,
    nextOffset: nextOffset < totalBytes ? nextOffset : null,
    totalBytes,
  }
}

/** How many of these bytes form whole characters. A character has at most four bytes. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    const isContinuation = (byte & 0xc0) === 0x80
    if (isContinuation) continue
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
