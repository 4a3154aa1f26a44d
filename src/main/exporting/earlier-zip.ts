import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'

import { readManifest } from '../../contract/bundle/manifest.ts'
import { bundlePath } from '../../contract/bundle/paths.ts'

/** Ends every ZIP of a bundle, so that one can be told from another's file before it is replaced. */
export const zipComment = 'galley-bundle'

/** Nothing else is read as a manifest or a directory of one; larger is not ours. */
const maxBytes = 256 * 1024 ** 2

/**
 * The hash of every file in a ZIP that Galley wrote earlier, by path, as its manifest gives them, without unpacking it.
 * null: not a bundle of ours.
 */
export async function earlierZip(path: string): Promise<ReadonlyMap<string, string> | null> {
  await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  const { size } = await file.stat()
  const ending = 22 + zipComment.length
  const tail = await slice(file, Math.max(0, size - ending - 76), size)
  const end = tail.subarray(-ending)
  if (tail.length < ending || end.readUInt32LE(0) !== 0x06054b50 || !end.toString('latin1').endsWith(zipComment)) {
    return null
  }
  const large = tail.subarray(0, -ending)
  const zip64 = large.length === 76 && large.readUInt32LE(0) === 0x06064b50
  const directoryBytes = zip64 ? Number(large.readBigUInt64LE(40)) : end.readUInt32LE(12)
  const directoryAt = zip64 ? Number(large.readBigUInt64LE(48)) : end.readUInt32LE(16)
  if (directoryBytes > maxBytes || directoryAt + directoryBytes > size) return null
  const entry = manifestEntry(await slice(file, directoryAt, directoryAt + directoryBytes))
  if (entry === null || entry.sizeBytes > maxBytes) return null
  const from = entry.offset + 30 + bundlePath.manifest.length
  const manifest = await slice(file, from, from + entry.sizeBytes)
  const files = readManifest(manifest.toString('utf8'))
  if (files === null) return null
  const own = createHash('sha256').update(manifest).digest('hex')
  return new Map([...files.map(({ path: listed, sha256 }) => [listed, sha256] as const), [bundlePath.manifest, own]])
}

function manifestEntry(directory: Buffer): { readonly offset: number; readonly sizeBytes: number } | null {
  for (let at = 0; at + 46 <= directory.length;) {
    const nameBytes = directory.readUInt16LE(at + 28)
    const extraBytes = directory.readUInt16LE(at + 30)
    if (directory.toString('latin1', at + 46, at + 46 + nameBytes) === bundlePath.manifest) {
      const near = directory.readUInt32LE(at + 42)
      const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes)
      const offset = near === 0xffffffff && extra.length === 12 ? Number(extra.readBigUInt64LE(4)) : near
      return { offset, sizeBytes: directory.readUInt32LE(at + 24) }
    }
    at += 46 + nameBytes + extraBytes
  }
  return null
}

async function slice(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, to - from))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}
