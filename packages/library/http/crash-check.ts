import { setImmediate as nextTurn } from 'node:timers/promises'
import { storageReason } from '@galley/platform'

import type { IndexReads } from '../db/library-index.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import type { Vault } from '../vault/vault.ts'

export interface CrashCheckPorts {
  readonly library: Pick<OpenedLibrary, 'damage'>
  readonly index: IndexReads
  readonly vault: Vault
  readonly log: (line: string) => void
}

/** The result of the check after an unclean stop. Zero and empty if the library is intact. */
interface CrashReport {
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

/** The check after an unclean stop, concurrent with the listener. If it is stopped early, the next start repeats it. */
export function createCrashCheck({ library, index, vault, log }: CrashCheckPorts) {
  let isDue = false
  let running: Promise<void> = Promise.resolve()

  async function run(signal: AbortSignal): Promise<void> {
    try {
      const { filesMissing, indexProblems } = await checkAfterCrash(index, vault, signal)
      if (signal.aborted) return
      isDue = false
      log(`checked after an unclean stop: ${filesMissing} stored files missing`)
      for (const problem of indexProblems) log(`the index is damaged: ${problem}`)
      if (indexProblems.length > 0) library.damage.note()
    } catch (error) {
      log(`the check after an unclean stop failed: ${storageReason(error)}`)
    }
  }

  return {
    begin(wasClean: boolean, signal: AbortSignal): void {
      isDue = !wasClean
      if (isDue) running = run(signal)
    },
    /** True until the check has completed. */
    isDue: () => isDue,
    ended: () => running,
  }
}
