import type { Background, FileSlice } from '@galley/platform'
import type { PageFacts } from '@galley/wire'

import type { Vault } from '../vault/vault.ts'
import type { JsonLevel, JsonPiece } from '../views/versions.ts'
import type { ReadingJobs } from './read-json.ts'
import type { PageReadingJobs } from './read-page.ts'

/** Looks into stored texts that are too large for the main thread. */
export function createReading(background: Background<ReadingJobs & PageReadingJobs>, vault: Vault) {
  return {
    jsonLevel: async (
      slice: FileSlice,
      path: readonly (string | number)[],
      offset: number,
      limit: number,
    ): Promise<JsonLevel | null> =>
      background.run('jsonLevel', { text: await vault.locate(slice), path, offset, limit }),
    jsonPiece: async (
      slice: FileSlice,
      path: readonly (string | number)[],
      offset: number,
      limit: number,
    ): Promise<JsonPiece | null> =>
      background.run('jsonPiece', { text: await vault.locate(slice), path, offset, limit }),
    pageFacts: async (slice: FileSlice): Promise<PageFacts> => background.run('pageFacts', await vault.locate(slice)),
  }
}

export type Reading = ReturnType<typeof createReading>
