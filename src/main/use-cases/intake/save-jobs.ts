import type { LoggedDelivery } from '../../../contract/domain/changes.ts'
import type { SaveThread } from '../../library/db/large-saves.ts'
import { writeIndexBack } from '../../library/db/write-back.ts'
import { writeSave } from '../../library/db/write-save.ts'
import type { JobHandlers } from '../../platform/threads/serve-jobs.ts'

/** The jobs of a background thread that writes large saves. */
export interface SaveJobs {
  /** Asks for its turn, and is answered with the callback of the save. */
  writeSave: { input: Parameters<SaveThread['write']>[0]; output: Awaited<ReturnType<SaveThread['write']>> }
  writeIndexBack: { input: Parameters<typeof writeIndexBack>[0]; output: ReturnType<typeof writeIndexBack> }
}

export const saveJobs: JobHandlers<SaveJobs> = {
  // `SaveThread` gives the answer this type.
  writeSave: (save, { ask }) => writeSave(save, () => ask('turn', null) as Promise<LoggedDelivery | null>),
  writeIndexBack: async (files) => writeIndexBack(files),
}
