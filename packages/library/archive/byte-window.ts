import { readSync } from 'node:fs'

/**
 * Random access to a file through one reused buffer. The result of `view` is valid until the next `view`. Archives are read
 * front to back, so thousands of small entries need only a few reads and little memory.
 */
export interface ByteWindow {
  readonly sizeBytes: number
  /** The bytes from `offset` on. Callers stay inside the file and request at most `windowMaxBytes`. */
  view(offset: number, lengthBytes: number): Buffer
}

/** The largest range that `view` returns. */
export const windowMaxBytes = 1024 * 1024

/** How far small reads read ahead. Large ranges are read exactly, because the next one would not fit in the buffer. */
const readAheadBytes = 128 * 1024

export function createByteWindow(fd: number, sizeBytes: number): ByteWindow {
  const buffer = Buffer.allocUnsafeSlow(windowMaxBytes)
  let start = 0
  let end = 0
  return {
    sizeBytes,
    view: (offset, lengthBytes) => {
      if (offset < start || offset + lengthBytes > end) {
        const wanted = Math.min(Math.max(lengthBytes, readAheadBytes), sizeBytes - offset)
        start = offset
        end = offset + readFully(fd, buffer.subarray(0, wanted), offset)
        if (offset + lengthBytes > end) throw new RangeError('A look past the end of the archive')
      }
      return buffer.subarray(offset - start, offset - start + lengthBytes)
    },
  }
}

/** Fills `target` from `offset` on. Returns the number of bytes read: fewer only at the end of the file. */
export function readFully(fd: number, target: Buffer, offset: number): number {
  let done = 0
  while (done < target.length) {
    const read = readSync(fd, target, done, target.length - done, offset + done)
    if (read === 0) break
    done += read
  }
  return done
}

/** An unsigned 64-bit number, rounded beyond 2^53. Such numbers exceed every limit anyway, so precision does not matter. */
export const readUint64 = (bytes: Buffer, offset: number): number =>
  bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32
