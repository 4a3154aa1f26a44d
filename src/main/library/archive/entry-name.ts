import { crc32 } from 'node:zlib'

import type { Cause } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { entryNameMaxBytes } from '../../../contract/protocol/archive.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The upper half of IBM code page 437, the encoding of names without the UTF-8 flag (APPNOTE, appendix D). */
const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * The name of an entry. Without the UTF-8 flag, bytes that are valid UTF-8 are read as UTF-8, because some tools forget the
 * flag; otherwise as code page 437.
 */
export function decodeEntryName(bytes: Buffer, isUtf8: boolean): Result<string, Cause> {
  if (bytes.length > entryNameMaxBytes) return fail(cause('name_too_long', { name: entryNameMaxBytes }))
  if (bytes.every((byte) => byte < 0x80)) return ok(bytes.toString('latin1'))
  const name = decodeUtf8(bytes)
  if (name !== null) return ok(name)
  if (isUtf8) return fail(cause('name_not_utf8'))
  return ok(
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (cp437[byte - 0x80] ?? ''))).join(''),
  )
}

/**
 * The text, or null if the bytes are not valid UTF-8. Keeps a byte order mark, so that writing the text restores the same
 * bytes.
 */
export function decodeUtf8(bytes: Buffer): string | null {
  try {
    return strictUtf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

/**
 * Whether an Info-ZIP Unicode path field (0x7075) names the same file as its header. Readers differ in which of the two they
 * use, so both must agree.
 */
export function isSameUnicodePath(field: Buffer, nameBytes: Buffer, name: string): boolean {
  return (
    field.length >= 5 &&
    field[0] === 1 &&
    field.readUInt32LE(1) === crc32(nameBytes) &&
    decodeUtf8(field.subarray(5)) === name
  )
}
