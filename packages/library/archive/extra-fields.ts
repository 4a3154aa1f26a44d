import { readUint64 } from './byte-window.ts'
import { readUnicodePath } from './entry-name.ts'

/** The 64-bit values of a header, from the Zip64 field where the 32-bit ones are saturated, and its Unicode path. */
export interface WideFigures {
  readonly sizeBytes: number
  readonly compressedBytes: number
  /** Absent in local headers. */
  readonly localOffset: number
  /** The position of the offset in `extra`; null if the header itself has the offset. */
  readonly localOffsetAt: number | null
  /** Null if there is none that was made for the name of the header. */
  readonly unicodePath: string | null
}

const saturated = 0xffffffff

/**
 * Reads the extra fields of a header. Null if they are damaged, contain a relevant field twice, or lack a required value.
 */
export function readExtraFields(
  extra: Buffer,
  header: Omit<WideFigures, 'localOffsetAt' | 'unicodePath'> & { readonly nameBytes: Buffer },
): WideFigures | null {
  let zip64At: number | null = null
  let zip64End = 0
  let hasPath = false
  let unicodePath: string | null = null
  let at = 0
  while (at + 4 <= extra.length) {
    const id = extra.readUInt16LE(at)
    const start = at + 4
    const end = start + extra.readUInt16LE(at + 2)
    if (end > extra.length) return null
    if (id === 0x0001) {
      if (zip64At !== null) return null
      zip64At = start
      zip64End = end
    }
    if (id === 0x7075) {
      if (hasPath) return null
      hasPath = true
      unicodePath = readUnicodePath(extra.subarray(start, end), header.nameBytes)
    }
    at = end
  }
  // Writers that align entries add up to three zero bytes.
  if (extra.subarray(at).some((byte) => byte !== 0)) return null

  let next = zip64At ?? 0
  let lacks = false
  const wide = (figure: number): number => {
    if (figure !== saturated) return figure
    if (zip64At === null || next + 8 > zip64End) {
      lacks = true
      return figure
    }
    next += 8
    return readUint64(extra, next - 8)
  }
  const sizeBytes = wide(header.sizeBytes)
  const compressedBytes = wide(header.compressedBytes)
  const localOffsetAt = header.localOffset === saturated ? next : null
  const localOffset = wide(header.localOffset)
  return lacks ? null : { sizeBytes, compressedBytes, localOffset, localOffsetAt, unicodePath }
}
