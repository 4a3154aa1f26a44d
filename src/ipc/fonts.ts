import type { Answer, SnapshotDetail, SnapshotDifference, SnapshotRow } from '@galley/library/records'
import { z } from 'zod'

import type { Started } from './call.ts'
import { asks, inSite, snapshotId } from './call.ts'

const inSnapshot = inSite.extend({ snapshotId })

export const fontCalls = {
  querySnapshots: asks(inSite).gives<readonly SnapshotRow[]>(),
  inspectSnapshot: asks(inSnapshot).gives<Answer<SnapshotDetail>>(),
  compareSnapshots: asks(inSite.extend({ before: z.string(), after: z.string() })).gives<Answer<SnapshotDifference>>(),
  /** Reads the current page of every material. The task ends with a FontUsage. Results of earlier runs are cached. */
  startFontUsage: asks(inSnapshot).gives<Started>(),
}
