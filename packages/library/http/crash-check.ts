import { storageReason } from '@galley/platform'

import { checkAfterCrash } from '../care/after-crash.ts'
import type { IndexReads } from '../db/library-index.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import type { Vault } from '../vault/vault.ts'

export interface CrashCheckPorts {
  readonly library: Pick<OpenedLibrary, 'damage'>
  readonly index: IndexReads
  readonly vault: Vault
  readonly log: (line: string) => void
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
