import type { Answer, SnapshotDetail, SnapshotDifference, SnapshotRow } from '@galley/library/records'
import type { SiteId, SnapshotId, TaskId } from '@galley/wire'
import { z } from 'zod'

import type { Inputs } from './problem.ts'
import { inSite } from './sites.ts'

export interface FontCalls {
  querySnapshots: { input: { site: SiteId }; output: readonly SnapshotRow[] }
  inspectSnapshot: { input: { site: SiteId; snapshotId: SnapshotId }; output: Answer<SnapshotDetail> }
  compareSnapshots: { input: { site: SiteId; before: string; after: string }; output: Answer<SnapshotDifference> }
  /** Reads the current page of every material. The task ends with a FontUsage. Results of earlier runs are cached. */
  startFontUsage: { input: { site: SiteId; snapshotId: SnapshotId }; output: Answer<{ readonly task: TaskId }> }
}

export const fontInputs: Inputs<FontCalls> = {
  querySnapshots: inSite,
  inspectSnapshot: inSite.extend({ snapshotId: z.string() }),
  compareSnapshots: inSite.extend({ before: z.string(), after: z.string() }),
  startFontUsage: inSite.extend({ snapshotId: z.string() }),
}
