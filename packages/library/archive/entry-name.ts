import { crc32 } from 'node:zlib'
import type { Cause, Result } from '@galley/wire'
import { cause, entryNameMaxBytes, fail, ok } from '@galley/wire'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The upper half of IBM code page 437, the encoding of names without the UTF-8 flag (APPNOTE, appendix D). */
const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** The name of an entry that stands for the whole archive, as the first one of some writers does. */
export const rootName = '/'

/**
 * The name of an entry: that of its Unicode path field, otherwise that of its header. Without the UTF-8 flag, bytes that are
 * valid UTF-8 are read as UTF-8, because some tools forget the flag; otherwise as code page 437. Writers that pack a folder
 * begin names with `./`, which is removed.
 */
export function entryNameOf(bytes: Buffer, isUtf8: boolean, unicodePath: string | null): Result<string, Cause> {
  if (bytes.length > entryNameMaxBytes) return fail(cause('name_too_long', { name: entryNameMaxBytes }))
  const name = unicodePath ?? decodeHeader(bytes)
  if (name === null && isUtf8) return fail(cause('name_not_utf8'))
  const written = name ?? fromCodePage437(bytes)
  const inside = written.replace(/^(?:\.\/)+/, '')
  return ok(inside === '' && written !== '' ? rootName : inside)
}

function decodeHeader(bytes: Buffer): string | null {
  return bytes.every((byte) => byte < 0x80) ? bytes.toString('latin1') : decodeUtf8(bytes)
}

const fromCodePage437 = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (cp437[byte - 0x80] ?? ''))).join('')

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
 * The path of an Info-ZIP Unicode path field (APPNOTE 4.6.9): null, as if there were none, unless it is of version 1, valid
 * UTF-8 and made for exactly this name of the header.
 */
export function readUnicodePath(field: Buffer, nameBytes: Buffer): string | null {
  if (field.length <= 5 || field.length > 5 + entryNameMaxBytes) return null
  if (field[0] !== 1 || field.readUInt32LE(1) !== crc32(nameBytes)) return null
  return decodeUtf8(field.subarray(5))
}
