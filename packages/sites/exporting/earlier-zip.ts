import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { bundlePath } from '@galley/library/records'
import type { ZipEntry } from '@galley/platform'
import { localHeader } from '@galley/platform'

import { readManifest } from '../bundle/manifest.ts'
import type { Watch } from './watch.ts'

/** The comment of every ZIP bundle. It identifies our ZIP files before they are replaced. */
export const zipComment = 'galley-bundle'

/** A larger manifest or directory is not ours. */
const maxBytes = 256 * 1024 ** 2
/** How much of a file in a ZIP is read at once. */
const pieceBytes = 1024 ** 2

/**
 * The hash of every file in a ZIP bundle, by path, read from its manifest without unpacking. `newer`: a later
 * version of Galley wrote it; null: not a bundle of ours.
 */
export async function earlierZip(path: string): Promise<ReadonlyMap<string, string> | 'newer' | null> {
  const manifest = await manifestOfZip(path)
  const files = manifest && readManifest(manifest.toString('utf8'))
  if (manifest === null || files === null) return null
  if (files === 'newer') return 'newer'
  const own = createHash('sha256').update(manifest).digest('hex')
  return new Map([...files.map(({ path: listed, sha256 }) => [listed, sha256] as const), [bundlePath.manifest, own]])
}

/** The manifest in a ZIP bundle; null: there is none. */
async function manifestOfZip(path: string): Promise<Buffer | null> {
  await using file = await openToRead(path)
  const entry = (await entriesOf(file))?.get(bundlePath.manifest)
  if (entry === undefined || entry.sizeBytes > maxBytes) return null
  const from = dataOffset(entry)
  return slice(file, from, from + entry.sizeBytes)
}

/**
 * Reads every file of a ZIP bundle. Returns the paths of files that are missing or have a different content or header.
 */
export async function damagedIn(
  path: string,
  expected: ReadonlyMap<string, string>,
  watch: Watch,
): Promise<readonly string[]> {
  await using file = await openToRead(path)
  const entries = (await entriesOf(file)) ?? new Map<string, ZipEntry>()
  const damaged: string[] = []
  for (const [at, [name, sha256]] of [...expected].entries()) {
    watch('verifying', at, expected.size, 'files')
    const entry = entries.get(name)
    if (entry === undefined || !(await isWhole(file, entry, sha256))) damaged.push(name)
  }
  return damaged
}

async function isWhole(file: FileHandle, entry: ZipEntry, sha256: string): Promise<boolean> {
  const start = dataOffset(entry)
  if (!(await slice(file, entry.offset, start)).equals(localHeader(entry))) return false
  const hash = createHash('sha256')
  for (let at = start; at < start + entry.sizeBytes; at += pieceBytes)
    hash.update(await slice(file, at, Math.min(at + pieceBytes, start + entry.sizeBytes)))
  return hash.digest('hex') === sha256
}

const openToRead = (path: string): Promise<FileHandle> => open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))

/** The offset of an entry's bytes. Our local headers have no extra field. */
const dataOffset = ({ offset, path }: ZipEntry): number => offset + 30 + path.length

/** The central directory of a ZIP bundle, by path; null: the ZIP does not end as ours do. */
async function entriesOf(file: FileHandle): Promise<ReadonlyMap<string, ZipEntry> | null> {
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
  const directory = await slice(file, directoryAt, directoryAt + directoryBytes)
  const entries = new Map<string, ZipEntry>()
  for (let at = 0; at + 46 <= directory.length;) {
    const nameBytes = directory.readUInt16LE(at + 28)
    const extraBytes = directory.readUInt16LE(at + 30)
    const path = directory.toString('latin1', at + 46, at + 46 + nameBytes)
    const near = directory.readUInt32LE(at + 42)
    const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes)
    const offset = near === 0xffffffff && extra.length === 12 ? Number(extra.readBigUInt64LE(4)) : near
    entries.set(path, {
      path,
      offset,
      sizeBytes: directory.readUInt32LE(at + 24),
      crc32: directory.readUInt32LE(at + 16),
    })
    at += 46 + nameBytes + extraBytes
  }
  return entries
}

async function slice(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, to - from))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}
