import type { CauseCode } from '../../../contract/cause.ts'
import { isDamage } from '../../library/db/database/open.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { storageReason } from '../../platform/disk/storage-reason.ts'

/**
 * The fault of disk or index since the library was opened, or null. Requests a rebuild of a damaged index at the next start.
 */
export function createDiskFaults(library: Pick<OpenedLibrary, 'requestRebuild'>, log: (line: string) => void) {
  let fault: CauseCode | null = null

  function requestRebuild(): void {
    try {
      library.requestRebuild()
      log('the index is damaged; no save is lost: Galley rebuilds it from the log when the library is next opened')
    } catch (error) {
      log(`the index is damaged, and this could not be recorded: ${storageReason(error)}`)
    }
  }

  return {
    read: () => fault,
    note(error: unknown): void {
      fault = isDamage(error) ? 'index_damaged_restart' : 'disk_error_restart'
      if (isDamage(error)) requestRebuild()
    },
  }
}
