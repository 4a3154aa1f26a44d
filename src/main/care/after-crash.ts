import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Index } from '../db/library-index.ts'
import type { Vault } from '../vault/vault.ts'

/** What the checks after an unclean stop found; all zero and empty when the library is whole. */
export interface CrashReport {
  /** Files of saves that were never acknowledged, removed. */
  readonly orphansRemoved: number
  /** Files that the index names and the disk does not have whole. */
  readonly filesMissing: number
  /** What SQLite finds wrong with the index. */
  readonly indexProblems: readonly string[]
}

/**
 * The deep checks after a stop that was no stop: every table of the index, every file it names, and every file it does
 * not. In small steps between the listener's work.
 */
export async function checkAfterCrash(index: Index, vault: Vault, signal: AbortSignal): Promise<CrashReport> {
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
    const found = await vault.sizeOf(file)
    if (found === null || found < sizeBytes) filesMissing += 1
  }
  const orphans = await vault.orphans('deleted', signal)
  return { orphansRemoved: orphans.files.length, filesMissing, indexProblems }
}
