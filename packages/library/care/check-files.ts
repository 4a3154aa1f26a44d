import { isSystemError } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { IndexReads } from '../db/library-index.ts'
import type { Finding } from '../records/care-reports.ts'
import type { Vault } from '../vault/vault.ts'
import type { BlobSlice } from './read-file.ts'
import { readFile } from './read-file.ts'
import type { CareRun } from './run.ts'

/** How many uses of a file, or names of missing files, a finding lists. */
export const listedAtMost = 5

/** A file of the library that is missing or damaged. */
export interface DamagedFile {
  readonly file: Sha256
  readonly isMissing: boolean
  readonly blobs: readonly BlobSlice[]
  /** Its blobs with lost content. */
  readonly bad: ReadonlySet<Sha256>
}

/** The result of reading all files. */
export interface FilesRead {
  readonly files: number
  readonly bytes: number
  readonly damaged: readonly DamagedFile[]
}

/** Reads every file that the index names. The caller shares the file lock, so that no file is deleted meanwhile. */
export async function readFiles(index: IndexReads, vault: Vault, { signal, onProgress }: CareRun): Promise<FilesRead> {
  const named = index.blobs.files()
  const total = named.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const damaged: DamagedFile[] = []
  let bytes = 0
  for (const { file } of named) {
    signal.throwIfAborted()
    // A file that only the team's bucket has is verified when it is fetched.
    if (vault.isRemote(file)) continue
    const blobs = index.blobs.inFile(file)
    const lost = { file, blobs, bad: new Set(blobs.map(({ sha256 }) => sha256)) }
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) {
      damaged.push({ ...lost, isMissing: true })
      continue
    }
    try {
      const verdict = await readFile(vault.read({ file, offset: 0, sizeBytes }), blobs, (count) => {
        signal.throwIfAborted()
        bytes += count
        onProgress({ step: 'reading', done: bytes, total: Math.max(total, bytes), unit: 'bytes' })
      })
      const isWhole = verdict.sha256 === file && verdict.bad.size === 0
      if (!isWhole) damaged.push({ file, isMissing: false, blobs, bad: verdict.bad })
    } catch (error) {
      // A file that cannot be read counts as damaged.
      if (!isSystemError(error)) throw error
      damaged.push({ ...lost, isMissing: false })
    }
  }
  return { files: named.length, bytes, damaged }
}

/** A damaged file, with its uses in the library. */
export function fileFinding(
  index: IndexReads,
  { file, isMissing, bad }: DamagedFile,
  { fixable, fixed, inBucket = false }: Pick<Finding, 'fixable' | 'fixed'> & { readonly inBucket?: boolean },
): Finding {
  const usedBy = []
  for (const blob of bad) {
    if (usedBy.length >= listedAtMost) break
    usedBy.push(...index.blobUses.of(blob, listedAtMost - usedBy.length))
  }
  return {
    kind: isMissing ? 'file_missing' : 'file_changed',
    facts: { code: 'file', inBucket, pieces: bad.size },
    file,
    usedBy: usedBy.map(({ site, materialId, versionId, part }) => ({ site, materialId, versionId, part })),
    fixable,
    fixed,
  }
}
