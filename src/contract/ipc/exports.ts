import { z } from 'zod'

import type { BrokenLink } from '../domain/broken-link.ts'
import type { ExportCounts, ExportRequest } from '../domain/export-record.ts'
import { exportRequest } from '../domain/export-record.ts'
import type { LeftOut, VerdictKind } from '../domain/outgoing.ts'
import type { PageNote } from '../domain/page-note.ts'
import type { MaterialId, SiteId, TaskId, VersionId } from '../ids.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { Answer, Inputs } from './problem.ts'
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

/** Broken references; at most 1,000 are listed. */
export interface ReferenceFindings {
  readonly checked: number
  readonly broken: number
  readonly list: readonly BrokenLink[]
}

/** Materials whose current version is not exported; at most 1,000 are listed. */
export interface LeftOutFindings {
  readonly count: number
  readonly list: readonly LeftOut[]
}

/** How a bundle would change its target; nothing was written. At most 5,000 paths of each kind are listed. */
export interface BundlePlan {
  readonly counts: ExportCounts
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** The pages of the bundle, with the change of each. */
  readonly pages: readonly {
    readonly materialId: MaterialId
    readonly versionId: VersionId
    readonly title: string
    readonly path: string
    readonly verdict: VerdictKind
    readonly change: 'added' | 'changed' | 'unchanged'
    /** The file at the address that the page had on the target, which redirects to it now; null: it did not move. */
    readonly movedFrom: string | null
    readonly notes: readonly PageNote[]
  }[]
  readonly leftOut: LeftOutFindings
  /** Null: a release that is published again was checked when it was made. */
  readonly references: ReferenceFindings | null
  /** Paths that are rewritten although their content is the same, and why. */
  readonly reasons?: Readonly<Record<string, 'unfinished' | 'form' | 'missing' | 'altered'>>
}

export interface ExportPlan extends BundlePlan {
  readonly references: ReferenceFindings
  /** SHA-256 of the manifest: the bundle's fingerprint. */
  readonly sha256: string
}

export interface ExportReport {
  readonly exportId: string
  readonly counts: ExportCounts
  readonly leftOut: LeftOutFindings
  readonly references: ReferenceFindings
  /** Only present if requested. At most 1,000 paths are listed. */
  readonly verified?: { readonly files: number; readonly wrong: readonly string[] }
  readonly sha256: string
  readonly target: ExportRequest['target']
}

/** An earlier export. */
export interface ExportRow {
  readonly exportId: string
  readonly site: SiteId
  readonly at: string
  readonly target: ExportRequest['target']
  readonly pages: number
  readonly counts: ExportCounts
  readonly brokenReferences: number
  readonly sha256: string
  /** Everything needed to repeat it. */
  readonly request: ExportRequest
}

/** Newest first. */
export interface ExportPage {
  readonly rows: readonly ExportRow[]
  readonly total: number
}

/**
 * An export with its content, what it left out, and its broken references. At most 1,000 of the latter two are kept.
 */
export interface ExportContents {
  readonly row: ExportRow
  readonly pages: readonly { readonly materialId: MaterialId; readonly versionId: VersionId; readonly title: string }[]
  readonly leftOut: LeftOutFindings
  readonly broken: readonly BrokenLink[]
}

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
