import { chosenToken, exportRequest } from '@galley/library/records'
import type { Answer, ExportContents, ExportPage } from '@galley/library/records'
import type { SiteId, TaskId } from '@galley/wire'
import { z } from 'zod'

import type { ChosenPath } from './chosen-path.ts'
import type { Inputs } from './problem.ts'
import { inSite } from './sites.ts'

/**
 * An export as a window requests it: the target was chosen in a dialog (`chooseExportTarget`), or is that of an earlier
 * export.
 */
export const exportOrder = exportRequest.extend({
  target: z.union([
    z.strictObject({ kind: z.enum(['folder', 'zip']), chosen: chosenToken }),
    z.strictObject({ again: z.string().max(100) }),
  ]),
})

export type ExportOrder = z.infer<typeof exportOrder>

export interface ExportCalls {
  /** Asks for a folder or a file name; null if nothing was chosen. */
  chooseExportTarget: { input: { site: SiteId; kind: 'folder' | 'zip' }; output: ChosenPath | null }
  /** Ends with an ExportPlan. References that would block the export are findings of the plan. */
  startExportPlan: { input: ExportOrder; output: Answer<{ readonly task: TaskId }> }
  /** Ends with an ExportReport. */
  startExport: { input: ExportOrder; output: Answer<{ readonly task: TaskId }> }
  listExports: { input: { site: SiteId; offset: number; limit: number }; output: ExportPage }
  readExport: { input: { exportId: string }; output: Answer<ExportContents> }
  /** Shows the target of an export in the system's file browser. */
  openExportFolder: { input: { exportId: string }; output: Answer<null> }
}

const byExport = z.strictObject({ exportId: z.string().max(100) })

export const exportInputs: Inputs<ExportCalls> = {
  chooseExportTarget: inSite.extend({ kind: z.enum(['folder', 'zip']) }),
  startExportPlan: exportOrder,
  startExport: exportOrder,
  listExports: inSite.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
  readExport: byExport,
  openExportFolder: byExport,
}
