import { z } from 'zod'

import type { Sha256, SiteId, SnapshotId, TaskId } from '../ids.ts'
import type { Remark } from '../domain/remark.ts'
import type { Answer, Inputs } from './problem.ts'
import { inSite } from './sites.ts'

/** One `src` of a face. */
export interface FaceFile {
  /** As the CSS has it. */
  readonly url: string
  readonly format: string | null
  /** The stored file behind it; null when the snapshot has none: the face is missing that file. */
  readonly stored: { readonly name: string; readonly sha256: Sha256; readonly sizeBytes: number } | null
}

/** One `@font-face` of a snapshot, values as CSS writes them. */
export interface FontFace {
  readonly family: string
  /** E.g. `400`, `100 900`. */
  readonly weight: string
  readonly style: string
  readonly stretch: string
  readonly unicodeRange: string | null
  readonly files: readonly FaceFile[]
}

export interface SnapshotRow {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
  readonly receivedAt: string
  readonly current: boolean
  readonly files: number
  readonly bytes: number
  readonly cssUrl: string
}

export interface SnapshotDetail extends SnapshotRow {
  readonly currentCssUrl: string
  readonly archiveSha256: Sha256
  /** The stored CSS, cut after 200,000 characters. */
  readonly css: string
  readonly faces: readonly FontFace[]
  readonly fontFiles: readonly {
    readonly name: string
    readonly sha256: Sha256
    readonly sizeBytes: number
    readonly url: string
    /** False: no face of the CSS names it. */
    readonly isNamed: boolean
  }[]
  readonly warnings: readonly Remark[]
}

/** Who uses something; none: it is unused. At most 1,000 materials are named, `count` has all. */
export interface Users {
  readonly count: number
  readonly materials: readonly { readonly materialId: string; readonly title: string }[]
}

/** A face, weight and style as CSS writes them, with the pages that show it. */
export interface FaceUsers extends Users {
  readonly weight: string
  readonly style: string
}

/** A family of the snapshot, with the pages that name it. */
export interface FamilyUsage extends Users {
  readonly family: string
  /** Its faces, by the texts that a browser would show in them. */
  readonly faces: readonly FaceUsers[]
  /** What texts ask for and no face of the family is: a browser shows the nearest one. */
  readonly lacking: readonly FaceUsers[]
}

/** Who uses what, over the current versions of a site. What texts ask for is found by the rules of `contract/asked-faces`. */
export interface FontUsage {
  readonly site: string
  readonly snapshotId: string
  readonly materialsRead: number
  readonly families: readonly FamilyUsage[]
  /** Families that pages name and neither the snapshot nor the page itself brings; generic and usual system ones left out. */
  readonly missing: readonly (Users & { readonly family: string })[]
}

/** What the later of two snapshots has differently. */
export interface SnapshotDifference {
  readonly before: SnapshotId
  readonly after: SnapshotId
  readonly facesAdded: readonly FontFace[]
  readonly facesRemoved: readonly FontFace[]
  /** Same family, weight, style and range, other files. */
  readonly facesChanged: readonly { readonly before: FontFace; readonly after: FontFace }[]
  readonly filesAdded: readonly string[]
  readonly filesRemoved: readonly string[]
  readonly filesChanged: readonly string[]
  readonly cssChanged: boolean
}

export interface FontCalls {
  querySnapshots: { input: { site: string }; output: readonly SnapshotRow[] }
  inspectSnapshot: { input: { site: string; snapshotId: string }; output: Answer<SnapshotDetail> }
  compareSnapshots: { input: { site: string; before: string; after: string }; output: Answer<SnapshotDifference> }
  /** Reads the current page of every material; its task ends with a FontUsage. Pages that were read before are remembered. */
  startFontUsage: { input: { site: string; snapshotId: string }; output: Answer<{ readonly task: TaskId }> }
}

export const fontInputs: Inputs<FontCalls> = {
  querySnapshots: inSite,
  inspectSnapshot: inSite.extend({ snapshotId: z.string() }),
  compareSnapshots: inSite.extend({ before: z.string(), after: z.string() }),
  startFontUsage: inSite.extend({ snapshotId: z.string() }),
}
