import type { Commit } from '../commit/commit.ts'
import type { Blobs } from '../file/blobs.ts'
import type { References } from '../file/references.ts'
import { isLarge } from './large-saves.ts'
import type { StoredSave } from './save-draft.ts'
import { draftsOfSave } from './save-draft.ts'
import type { WriteBack } from './write-back.ts'

interface StoreSavePorts {
  readonly commit: Commit
  readonly references: References
  readonly blobs: Blobs
  readonly writeBack: WriteBack
  /** Stores a large save in another thread; null if this library has none. */
  readonly storeLarge: ((save: StoredSave) => Promise<void>) | null
}

export function createStoreSave({ commit, references, blobs, writeBack, storeLarge }: StoreSavePorts) {
  /**
   * Durable when it resolves. Concurrent saves share one sync. In a team, `isWanted` is called when the save has its
   * position in the log; if it returns false, nothing is stored and the result is false. Rejects with errors of index
   * and log.
   */
  return async (save: StoredSave, isWanted?: () => boolean): Promise<boolean> => {
    let isStored = true
    const isLargeSave = isLarge(save)
    if (isLargeSave && storeLarge && !isWanted) await storeLarge(save)
    else {
      const drafts = await draftsOfSave(save, references)
      await commit.soon(() => {
        isStored = isWanted?.() ?? true
        return isStored ? drafts() : []
      })
    }
    if (commit.isAhead()) blobs.remember(save.blobs)
    writeBack.soon(isLargeSave)
    return isStored
  }
}
