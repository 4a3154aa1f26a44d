import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { FieldName, GivenVerdict, Verdict } from '../records/fields.ts'
import type { Remark } from '../records/remark.ts'
import type { VersionFacts, VersionMarks } from '../records/version.ts'
import type { VersionRef } from './changes.ts'
import type { StoredFile } from './materials.ts'

/** A decision about a version of a material, in the history of its decisions. */
export interface Decision extends GivenVerdict {
  readonly versionId: VersionId
  readonly number: number
}

/** A decision that holds, and what held for the same version before it. */
export interface DecidedBefore extends VersionRef {
  readonly given: Verdict
  readonly before: Verdict | null
}

/** The difference from the previous version, in files and bytes. */
export interface VersionChange {
  /** The previous version. */
  readonly from: VersionId
  readonly bytes: number
  readonly pageChanged: boolean
  readonly stateChanged: boolean
  readonly mediaAdded: number
  readonly mediaRemoved: number
  readonly mediaChanged: number
}

/** A row in the timeline of a material. */
export interface VersionRow extends VersionFacts, VersionMarks {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly warnings: readonly Remark[]
  /** Whether an export contains it. */
  readonly exported: boolean
  readonly thumbnail: StoredFile | null
  /** null for the first version of a material. */
  readonly change: VersionChange | null
  /** Fields whose values were set on this computer and wait for the bucket of the team. */
  readonly waiting?: readonly FieldName<'version'>[]
}

export interface VersionPage {
  readonly total: number
  readonly rows: readonly VersionRow[]
}

/** A part of a stored text. Offsets are in bytes of UTF-8; a part never splits a character. */
export interface TextPart {
  readonly text: string
  readonly offset: number
  readonly nextOffset: number | null
  readonly totalBytes: number
}

/** A member of an object or array in the editor state. */
export interface JsonMemberView {
  /** The key, or the index as a number. */
  readonly key: string | number
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** The number of members of an object or array, or of characters of a string as written; otherwise 0. */
  readonly size: number
  /** The beginning of the value, at most 300 characters. */
  readonly preview: string
  readonly isCut: boolean
}

export interface JsonLevel {
  readonly kind: JsonMemberView['kind']
  readonly total: number
  readonly members: readonly JsonMemberView[]
}

/** A part of one value in the editor state, as written. Offsets are in UTF-16 units. */
export interface JsonPiece {
  readonly text: string
  readonly nextOffset: number | null
  readonly totalChars: number
}
