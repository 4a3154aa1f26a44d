import { readSync } from 'node:fs'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { Cause, CauseCode, Result } from '@galley/wire'
import { cause, fail, ok, shownName } from '@galley/wire'

import type { ByteWindow } from './byte-window.ts'
import { windowMaxBytes } from './byte-window.ts'
import type { ZipEntry } from './local-headers.ts'

/**
 * Entries that are small both compressed and uncompressed are read synchronously: a stream would take ten times longer than
 * the data.
 */
export const isSmall = (entry: ZipEntry): boolean =>
  entry.sizeBytes <= windowMaxBytes && entry.compressedBytes <= windowMaxBytes

const broken = (entry: ZipEntry, why: CauseCode): { readonly ok: false; readonly failure: Cause } =>
  fail(cause('damaged', { name: shownName(entry.name), why: cause(why) }))

/** Reads a small entry and passes its checked content to `use`. The buffer is valid until `use` returns. */
export function useSmallEntry<Value>(
  window: ByteWindow,
  entry: ZipEntry,
  use: (content: Buffer) => Value,
): Result<Value, Cause> {
  const raw = window.view(entry.dataOffset, entry.compressedBytes)
  const content = entry.method === 'stored' ? raw : inflateExactly(raw, entry.sizeBytes)
  if (content === null) return broken(entry, 'bad_data')
  if (crc32(content) !== entry.crc32) return broken(entry, 'bad_checksum')
  const value = use(content)
  if (content !== raw) release(content)
  return ok(value)
}

/** Null unless `raw` is exactly one complete deflate stream of `sizeBytes` bytes. */
function inflateExactly(raw: Buffer, sizeBytes: number): Buffer | null {
  try {
    // The default chunk of 16 KiB is too large for small entries and too small for large ones. A chunk slightly larger than
    // the content is filled in one step.
    const options = { maxOutputLength: Math.max(sizeBytes, 1), chunkSize: Math.max(sizeBytes + 1, 64), info: true }
    // With `info`, the result includes the engine, which knows how much input it consumed. The type declarations omit it.
    const done = inflateRawSync(raw, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return done.buffer.length === sizeBytes && done.engine.bytesWritten === raw.length ? done.buffer : null
  } catch (error) {
    if (isInflateError(error)) return null
    throw error
  }
}

function isInflateError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
}

/**
 * Frees the memory of a large buffer now. The garbage collector would wait for some 60 MB more, because it counts only a few
 * hundred bytes for each of these buffers. Small buffers share their memory and old runtimes do not support it; both are
 * skipped.
 */
function release(buffer: Buffer): void {
  const memory: { readonly byteLength: number; readonly transfer?: (byteLength: number) => unknown } = buffer.buffer
  if (memory.byteLength > 2 * Buffer.poolSize) memory.transfer?.(0)
}

const readBytes = 64 * 1024
const storedBytes = 256 * 1024

/**
 * Passes the content of a large entry to `take` in chunks. A chunk is valid until `take` returns. The content must not be
 * used before the result is ok, because the checksum is verified last.
 */
export async function streamEntry(
  fd: number,
  entry: ZipEntry,
  take: (chunk: Buffer) => void,
): Promise<Result<null, Cause>> {
  let sizeBytes = 0
  let sum = 0
  let tooLong = false
  const counted = (chunk: Buffer): void => {
    sizeBytes += chunk.length
    tooLong ||= sizeBytes > entry.sizeBytes
    if (tooLong) return
    sum = crc32(chunk, sum)
    take(chunk)
  }
  const whole =
    entry.method === 'stored' ? passStored(fd, entry, counted) : await inflate(fd, entry, counted, () => tooLong)
  if (tooLong || (whole && sizeBytes !== entry.sizeBytes)) return broken(entry, 'bad_length')
  if (!whole) return broken(entry, 'bad_data')
  return sum === entry.crc32 ? ok(null) : broken(entry, 'bad_checksum')
}

function passStored(fd: number, entry: ZipEntry, take: (chunk: Buffer) => void): boolean {
  const buffer = Buffer.allocUnsafeSlow(storedBytes)
  for (let at = 0; at < entry.compressedBytes;) {
    const read = readSync(fd, buffer, 0, Math.min(storedBytes, entry.compressedBytes - at), entry.dataOffset + at)
    if (read === 0) return false
    take(buffer.subarray(0, read))
    at += read
  }
  return true
}

/** Resolves to true if the data is one complete deflate stream with nothing after it. Respects the engine's backpressure. */
async function inflate(
  fd: number,
  entry: ZipEntry,
  take: (chunk: Buffer) => void,
  isEnough: () => boolean,
): Promise<boolean> {
  const engine = createInflateRaw({ chunkSize: storedBytes })
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  let problem: unknown = null
  let last: Buffer | null = null
  const finished = new Promise<void>((resolve) => {
    engine.on('data', (chunk: Buffer) => {
      // The engine fills one buffer step by step. When it starts another one, the previous one is no longer used.
      if (last !== null && last.buffer !== chunk.buffer) release(last)
      last = chunk
      try {
        take(chunk)
      } catch (error) {
        problem = error
      }
      if (problem !== null || isEnough()) engine.destroy()
    })
    engine.on('error', (error) => (problem ??= error))
    engine.on('close', resolve)
  })
  for (let at = 0; at < entry.compressedBytes && !engine.readableEnded && !engine.destroyed;) {
    const read = readSync(fd, buffer, 0, Math.min(readBytes, entry.compressedBytes - at), entry.dataOffset + at)
    if (read === 0) break
    at += read
    // The buffer can be reused after the engine has consumed it. On failure, the engine closes without calling the callback.
    await Promise.race([new Promise((resolve) => engine.write(buffer.subarray(0, read), resolve)), finished])
  }
  if (!engine.destroyed) engine.end()
  await finished
  if (problem !== null && !isInflateError(problem)) throw problem
  return problem === null && engine.readableEnded && engine.bytesWritten === entry.compressedBytes
}
