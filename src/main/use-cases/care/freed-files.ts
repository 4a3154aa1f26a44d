import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Sha256 } from '../../../contract/ids.ts'
import type { CarePorts } from './ports.ts'

/** The number of files and their total size. */
export interface FileSum {
  readonly files: number
  readonly bytes: number
}

/** The files that would be deleted if the index dropped these blobs: those that contain no others. */
export async function freedFiles(
  { index, vault }: Pick<CarePorts, 'index' | 'vault'>,
  blobs: readonly Sha256[],
  signal: AbortSignal,
): Promise<FileSum> {
  const freedIn = new Map<Sha256, number>()
  for (const [at, blob] of blobs.entries()) {
    const file = index.blobs.find(blob)?.file
    if (file !== undefined) freedIn.set(file, (freedIn.get(file) ?? 0) + 1)
    if (at % 500 === 0) await nextTurn()
    signal.throwIfAborted()
  }
  let files = 0
  let bytes = 0
  for (const [file, freed] of freedIn) {
    signal.throwIfAborted()
    if (index.blobs.inFile(file).length > freed) continue
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) continue
    files += 1
    bytes += sizeBytes
  }
  return { files, bytes }
}
