import { setImmediate as nextTurn } from 'node:timers/promises'

import type { IndexReads } from '../db/library-index.ts'
import type { Vault } from '../vault/vault.ts'

/** The result of the check after an unclean stop. Zero and empty if the library is intact. */
export interface CrashReport {
  /** Files that the index names but the disk has only partly or not at all. */
  readonly filesMissing: number
  /** The problems that SQLite finds in the index. */
  readonly indexProblems: readonly string[]
}

/** Checks every table of the index and every file it names, in small steps that let the listener run. Changes nothing. */
export async function checkAfterCrash(index: IndexReads, vault: Vault, signal: AbortSignal): Promise<CrashReport> {
  const indexProblems: string[] = []
  for (const table of index.consistency.tables()) {
    if (signal.aborted) break
    const verdict = index.consistency.quickCheck(table)
    if (verdict !== 'ok') indexProblems.push(verdict)
    await nextTurn()
  }
  let filesMissing = 0
  const files = signal.aborted ? [] : index.blobs.files()
  for (const { file, sizeBytes } of files) {
    if (signal.aborted) break
    if (vault.isRemote(file)) continue
    const found = await vault.sizeOf(file)
    if (found === null || found < sizeBytes) filesMissing += 1
  }
  return { filesMissing, indexProblems }
}
