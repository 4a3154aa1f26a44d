import { readSync } from 'node:fs'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'

import { shownName } from '../../contract/archive.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { ByteWindow } from './byte-window.ts'
import { windowMaxBytes } from './byte-window.ts'
import type { ZipEntry } from './local-headers.ts'

/** An entry that is small both ways is read at once: a stream of its own would cost ten times what its bytes do. */
export const isSmall = (entry: ZipEntry): boolean =>
  entry.sizeBytes <= windowMaxBytes && entry.compressedBytes <= windowMaxBytes

const broken = (entry: ZipEntry, what: string): { readonly ok: false; readonly failure: string } =>
  fail(`${shownName(entry.name)} is damaged: ${what}`)
const badData = 'its compressed data are broken'
const badSize = 'it is not as long as declared'
const badSum = 'its checksum does not match'

/** The content of a small entry, good until the next look through `window`. */
export function readSmallEntry(window: ByteWindow, entry: ZipEntry): Result<Buffer, string> {
  const raw = window.view(entry.dataOffset, entry.compressedBytes)
  const content = entry.method === 'stored' ? raw : inflateExactly(raw, entry.sizeBytes)
  if (content === null) return broken(entry, badData)
  return crc32(content) === entry.crc32 ? ok(content) : broken(entry, badSum)
}

/** Null unless `raw` is one deflate stream, whole and without a rest, of `sizeBytes` bytes. */
function inflateExactly(raw: Buffer, sizeBytes: number): Buffer | null {
  try {
    // The default chunk, 16 KiB, is right for neither end; one that holds all and a little more is filled in one go.
    const options = { maxOutputLength: Math.max(sizeBytes, 1), chunkSize: Math.max(sizeBytes + 1, 64), info: true }
    // With `info` the answer holds the engine, which knows how much it has consumed; the type declarations do not say so.
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

const readBytes = 64 * 1024
const storedBytes = 256 * 1024

/**
 * Hands the content of a large entry to `take`, chunk by chunk. A chunk is only good until `take` returns, and whoever
 * takes it must not rely on it before the end: the checksum comes last.
 */
export async function streamEntry(
  fd: number,
  entry: ZipEntry,
  take: (chunk: Buffer) => void,
): Promise<Result<null, string>> {
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
  if (tooLong || (whole && sizeBytes !== entry.sizeBytes)) return broken(entry, badSize)
  if (!whole) return broken(entry, badData)
  return sum === entry.crc32 ? ok(null) : broken(entry, badSum)
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

/** True when the data were one whole deflate stream without a rest. The engine takes a chunk only when it has room. */
async function inflate(
  fd: number,
  entry: ZipEntry,
  take: (chunk: Buffer) => void,
  isEnough: () => boolean,
): Promise<boolean> {
  const engine = createInflateRaw({ chunkSize: storedBytes })
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  let problem: unknown = null
  let ended = false
  const finished = new Promise<void>((resolve) => {
    engine.on('data', (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        problem = error
      }
      if (problem !== null || isEnough()) engine.destroy()
    })
    engine.on('error', (error) => (problem ??= error))
    engine.on('end', () => (ended = true))
    engine.on('close', resolve)
  })
  for (let at = 0; at < entry.compressedBytes && !ended && !engine.destroyed;) {
    const read = readSync(fd, buffer, 0, Math.min(readBytes, entry.compressedBytes - at), entry.dataOffset + at)
    if (read === 0) break
    at += read
    // The buffer may be filled again once the engine has consumed it, which is when it calls back, failed or not.
    await new Promise<void>((resolve) => engine.write(buffer.subarray(0, read), () => resolve()))
  }
  if (!engine.destroyed) engine.end()
  await finished
  if (problem !== null && !isInflateError(problem)) throw problem
  return problem === null && ended && engine.bytesWritten === entry.compressedBytes
}
