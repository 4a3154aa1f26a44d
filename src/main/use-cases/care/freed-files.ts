import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Sha256 } from '../../../contract/ids.ts'
import type { CarePorts } from './ports.ts'

/** The number of files and their total size. */
export interface FileSum {
  readonly files: number
  readonly bytes: number
}

/** The files that would be deleted if the index dropped these blobs: those that contain no others. */
export async function freedNames(
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
