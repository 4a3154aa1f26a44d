import type { JobHandlers } from '@galley/platform'

import type { SaveThread } from '../db/save/large-saves.ts'
import { writeIndexBack } from '../db/save/write-back.ts'
import { writeSave } from '../db/save/write-save.ts'
import type { LoggedDelivery } from '../records/changes.ts'

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
