import type { MaterialId, Sha256, SiteId, SnapshotId } from '@galley/wire'

import type { FieldValues } from '../records/fields.ts'
import type { Remark } from '../records/remark.ts'

/** A source of a face. */
export interface FaceFile {
  /** As written in the CSS. */
  readonly url: string
  readonly format: string | null
  /** The stored file; null if the snapshot does not have it. */
  readonly stored: { readonly name: string; readonly sha256: Sha256; readonly sizeBytes: number } | null
}

/** A `@font-face` of a snapshot, with values as written in the CSS. */
export interface FontFace {
  readonly family: string
  /** For example `400` or `100 900`. */
  readonly weight: string
  readonly style: string
  readonly stretch: string
  readonly unicodeRange: string | null
  readonly files: readonly FaceFile[]
}

/** With what people have set on it. */
export interface SnapshotRow extends FieldValues<'fontSet'> {
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
  /** The stored CSS, truncated to 200,000 characters. */
  readonly css: string
  readonly faces: readonly FontFace[]
  readonly fontFiles: readonly {
    readonly name: string
    readonly sha256: Sha256
    readonly sizeBytes: number
    readonly url: string
    /** False if no face of the CSS uses it. */
    readonly isNamed: boolean
  }[]
  readonly warnings: readonly Remark[]
}

/** The materials that use something; none if it is unused. At most 1,000 are named, `count` includes all. */
export interface Users {
  readonly count: number
  readonly materials: readonly { readonly materialId: MaterialId; readonly title: string }[]
}

/** A face, with weight and style as written in the CSS, and the pages that show it. */
export interface FaceUsers extends Users {
  readonly weight: string
  readonly style: string
}

/** A family of the snapshot, with the pages that use it. */
export interface FamilyUsage extends Users {
  readonly family: string
  /** Its faces, with the texts for which a browser selects them. */
  readonly faces: readonly FaceUsers[]
  /** Weights and styles that texts request but the family does not have: a browser shows the closest face. */
  readonly lacking: readonly FaceUsers[]
}

/** The font usage of a site's current versions. The requested fonts are found by the rules of `contract/asked-faces`. */
export interface FontUsage {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
  readonly materialsRead: number
  readonly families: readonly FamilyUsage[]
  /** Families that pages use but neither the snapshot nor the page provides, without generic and common system families. */
  readonly missing: readonly (Users & { readonly family: string })[]
}

/** The changes from the earlier to the later of two snapshots. */
export interface SnapshotDifference {
  readonly before: SnapshotId
  readonly after: SnapshotId
  readonly facesAdded: readonly FontFace[]
  readonly facesRemoved: readonly FontFace[]
  /** The same family, weight, style and range with different files. */
  readonly facesChanged: readonly { readonly before: FontFace; readonly after: FontFace }[]
  readonly filesAdded: readonly string[]
  readonly filesRemoved: readonly string[]
  readonly filesChanged: readonly string[]
  readonly cssChanged: boolean
}
