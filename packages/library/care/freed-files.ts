import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sha256 } from '@galley/wire'

import type { FolderEntry } from '../vault/folder-entries.ts'
import type { CarePorts } from './ports.ts'

/** The number of files and their total size. */
export interface FileSum {
  readonly files: number
  readonly bytes: number
}

/** What a collection would drop and delete. */
export interface Forecast {
  readonly blobs: number
  readonly files: ReadonlySet<Sha256>
}

/**
 * What a collection would drop and delete after these uses of blobs have ended, including files that are used only by
 * style sheets that would be dropped too.
 */
export async function forecastOf(
  { index }: Pick<CarePorts, 'index'>,
  endedUses: ReadonlyMap<Sha256, number>,
  signal: AbortSignal,
): Promise<Forecast> {
  const { unusedBlobs, blobs } = index
  const freed = new Set<Sha256>()
  for (let at: string | null = ''; at !== null;) {
    signal.throwIfAborted()
    const range = unusedBlobs.range(at)
    for (const blob of range.unused) freed.add(blob)
    at = range.next
    await nextTurn()
  }
  const unused = freed.size
  const ended = new Map(endedUses)
  const open = [...freed, ...ended.keys()]
  // The list grows while it is read, by the references of dropped style sheets.
  for (const [at, blob] of open.entries()) {
    if (at % 500 === 0) await nextTurn()
    signal.throwIfAborted()
    if (at >= unused && (freed.has(blob) || unusedBlobs.needs(blob) !== ended.get(blob))) continue
    freed.add(blob)
    for (const named of unusedBlobs.referencedBy(blob)) {
      ended.set(named, (ended.get(named) ?? 0) + 1)
      open.push(named)
    }
  }
  const dropped = blobs.dropped().filter((file) => !blobs.isReferenced(file))
  return { blobs: freed.size, files: new Set([...dropped, ...(await freedNames({ index }, [...freed], signal))]) }
}

/** The files that would be deleted if the index dropped these blobs: those that contain no others. */
async function freedNames(
  { index }: Pick<CarePorts, 'index'>,
  blobs: readonly Sha256[],
  signal: AbortSignal,
): Promise<ReadonlySet<Sha256>> {
  const freedIn = new Map<Sha256, number>()
  for (const [at, blob] of blobs.entries()) {
    const file = index.blobs.find(blob)?.file
    if (file !== undefined) freedIn.set(file, (freedIn.get(file) ?? 0) + 1)
    if (at % 500 === 0) await nextTurn()
    signal.throwIfAborted()
  }
  return new Set([...freedIn].flatMap(([file, freed]) => (index.blobs.inFile(file).length > freed ? [] : [file])))
}

/** The sum of those of these files that are on this computer. */
export async function sumOf(
  { vault }: Pick<CarePorts, 'vault'>,
  names: Iterable<Sha256>,
  signal: AbortSignal,
): Promise<FileSum> {
  let files = 0
  let bytes = 0
  for (const file of names) {
    signal.throwIfAborted()
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) continue
    files += 1
    bytes += sizeBytes
  }
  return { files, bytes }
}

/** The sum of these folders' files. */
export const sumOfEntries = (entries: readonly FolderEntry[]): FileSum => ({
  files: entries.reduce((sum, { files }) => sum + files, 0),
  bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
})
