import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { ZipEntry } from '@galley/platform'
import { centralHeader, crcOffset, endRecords, localHeader } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { BackupManifest, ManifestRange, PromisedEntry } from './backup-format.ts'
import {
  backupComment,
  manifestPath,
  manifestRange,
  parseManifest,
  promisedEntries,
  segmentPath,
  spanOf,
} from './backup-format.ts'
import type { CareFailure, CareRun, Progress } from './run.ts'

/** A backup with its manifest. The rest has not been checked. */
export interface OpenBackup {
  readonly manifest: BackupManifest
  readonly manifestText: Buffer
  readonly place: ManifestRange
}

const pieceBytes = 256 * 1024
/** Larger than the manifest of a million files. Larger ones are not read, as they may be an attack. */
const manifestMaxBytes = 256 * 1024 ** 2

const damaged = (what: string): { readonly ok: false; readonly failure: CareFailure } =>
  fail({ code: 'damaged_backup', what })

/** The position of the manifest; null if the file does not end like a Galley backup. */
export async function findManifest(file: FileHandle): Promise<ManifestRange | null> {
  const { size } = await file.stat()
  return manifestRange(await bytesAt(file, Math.max(0, size - 64), Math.min(size, 64)))
}

/** Finds and reads the manifest. */
export async function openBackup(file: FileHandle): Promise<Result<OpenBackup, CareFailure>> {
  const { size } = await file.stat()
  const place = await findManifest(file)
  if (!place) {
    const start = localHeader({ path: segmentPath(''), sizeBytes: 0, crc32: 0 })
    const isOurs = (await bytesAt(file, 0, Math.min(size, start.length))).toString('latin1', 30) === segmentPath('')
    return isOurs ? damaged('its end is missing') : fail({ code: 'not_a_backup' })
  }
  if (place.sizeBytes > manifestMaxBytes || place.offset + place.sizeBytes > size) return damaged('it is incomplete')
  const manifestText = await bytesAt(file, place.offset, place.sizeBytes)
  const manifest = parseManifest(manifestText.toString('utf8'))
  if (manifest === 'earlier') return fail({ code: 'earlier_library' })
  if (manifest === 'newer') return fail({ code: 'newer_library' })
  return manifest ? ok({ manifest, manifestText, place }) : damaged('its manifest cannot be read')
}

/** Receives the content of an entry. Do not use it before the whole backup has been verified. */
export type TakeEntry = (entry: PromisedEntry, chunks: AsyncIterable<Buffer>) => Promise<void>

/**
 * Reads a backup completely. Compares contents with the manifest, and headers and directory with their expected bytes. A
 * backup with any difference is refused with its position.
 */
export async function readBackup(
  file: FileHandle,
  { manifest, manifestText, place }: OpenBackup,
  take: TakeEntry,
  { signal, onProgress }: CareRun,
  step: Progress['step'],
): Promise<Result<null, CareFailure>> {
  const promised: readonly PromisedEntry[] = [
    ...promisedEntries(manifest),
    {
      path: manifestPath,
      sizeBytes: manifestText.length,
      sha256: createHash('sha256').update(manifestText).digest('hex'),
    },
  ]
  const total = promised.reduce((sum, entry) => sum + spanOf(entry), 0)
  const entries: ZipEntry[] = []
  let offset = 0
  for (const entry of promised) {
    signal.throwIfAborted()
    const { path, sizeBytes } = entry
    const headerBytes = spanOf({ path, sizeBytes: 0 })
    const header = await bytesAt(file, offset, headerBytes)
    const promisedCrc = header.length === headerBytes ? header.readUInt32LE(crcOffset) : 0
    if (!header.equals(localHeader({ path, sizeBytes, crc32: promisedCrc })))
      return damaged(`${path} is not where it should be`)
    const sum = createHash('sha256')
    let crc = 0
    await take(
      entry,
      contentOf(file, offset + headerBytes, sizeBytes, (chunk) => {
        signal.throwIfAborted()
        sum.update(chunk)
        crc = crc32(chunk, crc)
      }),
    )
    if (sum.digest('hex') !== entry.sha256 || crc !== promisedCrc)
      return damaged(`${path} differs from what was backed up`)
    entries.push({ path, offset, sizeBytes, crc32: crc })
    offset += spanOf(entry)
    onProgress({ step, done: offset, total, unit: 'bytes' })
  }
  const directory = Buffer.concat(entries.map(centralHeader))
  const end = endRecords({ entries: entries.length, offset, sizeBytes: directory.length }, backupComment(place))
  const expected = Buffer.concat([directory, end])
  const found = await bytesAt(file, offset, expected.length + 1)
  return found.equals(expected) ? ok(null) : damaged('its directory differs from what was written')
}

async function* contentOf(
  file: FileHandle,
  from: number,
  sizeBytes: number,
  onChunk: (chunk: Buffer) => void,
): AsyncIterable<Buffer> {
  for (let done = 0; done < sizeBytes;) {
    const chunk = await bytesAt(file, from + done, Math.min(pieceBytes, sizeBytes - done))
    if (chunk.length === 0) return
    onChunk(chunk)
    done += chunk.length
    yield chunk
  }
}

/** Returns fewer bytes only at the end of the file. */
async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
