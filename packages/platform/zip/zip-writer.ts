import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

import type { ZipEntry } from './zip-records.ts'
import { centralHeader, crcOffset, endRecords, localHeader } from './zip-records.ts'

const bufferBytes = 1024 ** 2

/**
 * Writes a ZIP that depends only on its entries, one entry after the other.
 *
 * Not adm-zip, which holds the whole archive in memory: the videos of a site may not fit. Files are stored, not compressed:
 * most of a bundle consists of compressed images, and the zlib builds of Node and Electron compress texts differently, which
 * would break "same input, same bytes".
 */
export function createZip(file: FileHandle) {
  const entries: ZipEntry[] = []
  let written = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0

  async function flush(): Promise<void> {
    await writeAll(file, Buffer.concat(waiting), written)
    written += waitingBytes
    waiting = []
    waitingBytes = 0
  }
  async function write(bytes: Buffer): Promise<void> {
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes >= bufferBytes) await flush()
  }

  return {
    /** Adds a file of a known size. Its CRC-32 is known only after its content and is then written to its header. */
    async add(path: string, sizeBytes: number, chunks: AsyncIterable<Buffer>): Promise<void> {
      const offset = written + waitingBytes
      await write(localHeader({ path, sizeBytes, crc32: 0 }))
      let crc = 0
      for await (const chunk of chunks) {
        crc = crc32(chunk, crc)
        await write(chunk)
      }
      await flush()
      const field = Buffer.alloc(4)
      field.writeUInt32LE(crc)
      await writeAll(file, field, offset + crcOffset)
      entries.push({ path, offset, sizeBytes, crc32: crc })
    },

    async finish(comment: string): Promise<void> {
      const offset = written + waitingBytes
      for (const entry of entries) await write(centralHeader(entry))
      const sizeBytes = written + waitingBytes - offset
      await write(endRecords({ entries: entries.length, offset, sizeBytes }, comment))
      await flush()
    },
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
