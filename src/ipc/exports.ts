import { chosenToken, exportRequest } from '@galley/library/records'
import type { Answer, ExportContents, ExportPage } from '@galley/library/records'
import { z } from 'zod'

import type { ChosenPath, Started } from './call.ts'
import { asks, inSite, slice } from './call.ts'

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

const byExport = z.strictObject({ exportId: z.string().max(100) })

export const exportCalls = {
  /** Asks for a folder or a file name; null if nothing was chosen. */
  chooseExportTarget: asks(inSite.extend({ kind: z.enum(['folder', 'zip']) })).gives<ChosenPath | null>(),
  /** Ends with an ExportPlan. References that would block the export are findings of the plan. */
  startExportPlan: asks(exportOrder).gives<Started>(),
  /** Ends with an ExportReport. */
  startExport: asks(exportOrder).gives<Started>(),
  listExports: asks(inSite.extend(slice)).gives<ExportPage>(),
  readExport: asks(byExport).gives<Answer<ExportContents>>(),
  /** Shows the target of an export in the system's file browser. */
  openExportFolder: asks(byExport).gives<Answer<null>>(),
}
