import type { Answer } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import type { Inputs } from './problem.ts'
import { inVersion } from './versions.ts'

export interface ReviewWindowCalls {
  /** Opens a version in its own window, offline, optionally beside another version of the same material. */
  openReview: {
    input: { site: SiteId; materialId: MaterialId; versionId: VersionId; compareWith: string | null }
    output: Answer<null>
  }
}

export const reviewWindowInputs: Inputs<ReviewWindowCalls> = {
  openReview: inVersion.extend({ compareWith: z.string().nullable() }),
}
