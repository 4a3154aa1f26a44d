import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { BrokenLink } from '../records/broken-link.ts'
import type { ExportRequest } from '../records/export-record.ts'
import type { LeftOut, VerdictKind } from '../records/outgoing.ts'
import type { PageNote } from '../records/page-note.ts'
import type { FileCounts } from '../records/release.ts'

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
  readonly counts: FileCounts
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
  readonly counts: FileCounts
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
  readonly counts: FileCounts
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
