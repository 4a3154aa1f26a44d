import { readSync } from 'node:fs'

/**
 * Random access to a file through one reused buffer. What `view` gives is only good until the next `view`: archives are
 * walked front to back, so that thousands of small entries cost a handful of reads and no memory of their own.
 */
export interface ByteWindow {
  readonly sizeBytes: number
  /** The bytes from `offset` on; callers ask only for what lies inside the file, and at most `windowMaxBytes`. */
  view(offset: number, lengthBytes: number): Buffer
}

/** The largest piece that is looked at as a whole. */
export const windowMaxBytes = 1024 * 1024

/** What a small look reads ahead. Large pieces are read exactly: the next one would not fit in beside them anyway. */
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

/** Fills `target` from `offset` on, and says how many bytes there were: fewer only at the end of the file. */
export function readFully(fd: number, target: Buffer, offset: number): number {
  let done = 0
  while (done < target.length) {
    const read = readSync(fd, target, done, target.length - done, offset + done)
    if (read === 0) break
    done += read
  }
  return done
}

/**
 * An unsigned 64-bit number. Beyond 2^53 it is rounded: every such number is far over each limit it is compared with,
 * so nothing but its size matters.
 */
export const readUint64 = (bytes: Buffer, offset: number): number =>
  bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32
