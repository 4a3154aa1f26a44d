import { z } from 'zod'

import type { FieldName, GivenVerdict } from '../domain/fields.ts'
import { decisions, settable } from '../domain/fields.ts'
import type { Remark } from '../domain/remark.ts'
import type { MediaFile, VersionFacts, VersionMarks } from '../domain/version.ts'
import type { CallbackId, MaterialId, Sha256, SiteId, VersionId } from '../ids.ts'
import { inMaterial } from './materials.ts'
import type { StoredFile } from './materials.ts'
import type { Answer, Inputs } from './problem.ts'
import { siteIdText } from './site-id.ts'

/** A decision about a version of a material, in the history of its decisions. */
export interface Decision extends GivenVerdict {
  readonly versionId: VersionId
  readonly number: number
}

/** The difference from the previous version, in files and bytes. */
export interface VersionChange {
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

/** A media file with its type and origin. */
export interface VersionMedia extends MediaFile {
  /** The content type that the listener sends, for example `image/png`. */
  readonly type: string
  readonly isImage: boolean
  /** True if an earlier save contained the file, and this version refers to its public URL. */
  readonly isEarlier: boolean
}

/** The details of a version without its long texts, which `readVersionText` returns in parts. */
export interface VersionInspection {
  readonly version: VersionRow
  readonly media: readonly VersionMedia[]
  readonly hashes: {
    readonly html: Sha256
    readonly state: Sha256
    /** The hashes of the archive as received, and of the stored one without callback credentials. */
    readonly archive: Sha256
    readonly kept: Sha256
  }
  readonly htmlBytes: number
  readonly stateBytes: number
  readonly archiveBytes: number
  /** JSON text with likely secrets hidden; null if the archive has no metadata. */
  readonly metadata: string | null
  /** The callback that delivered it. */
  readonly callbackId: CallbackId | null
  readonly exports: readonly { readonly exportId: string; readonly at: string; readonly target: string }[]
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

/** What a reviewer decides; null takes back the last decision. */
export const wantedVerdict = z.strictObject({ decision: z.enum(decisions), reason: z.string().max(10_000) }).nullable()
export type WantedVerdict = z.infer<typeof wantedVerdict>

/** What a person sets on a version. Absent members stay unchanged. */
export const marksToSet = settable('version').omit({ verdict: true }).extend({ verdict: wantedVerdict.optional() })
export type MarksToSet = z.infer<typeof marksToSet>

/** A range of the members at a path of the editor state. */
interface StateRange {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
  readonly path: readonly (string | number)[]
  readonly offset: number
  readonly limit: number
}

export interface VersionCalls {
  /** Newest first. */
  queryVersions: {
    input: { site: SiteId; materialId: MaterialId; offset: number; limit: number }
    output: VersionPage
  }
  inspectVersion: {
    input: { site: SiteId; materialId: MaterialId; versionId: VersionId }
    output: Answer<VersionInspection>
  }
  markVersion: {
    input: { site: SiteId; materialId: MaterialId; versionId: VersionId; marks: MarksToSet }
    output: Answer<VersionRow>
  }
  readVersionText: {
    input: {
      site: SiteId
      materialId: MaterialId
      versionId: VersionId
      part: 'html' | 'state'
      offset: number
      maxBytes: number
    }
    output: Answer<TextPart>
  }
  /** One level of the editor state, so that a tree of any size can be expanded step by step. */
  readStateLevel: {
    input: StateRange
    output: Answer<JsonLevel>
  }
  /** Parts of a value that a level shows truncated. */
  readStateValue: {
    input: StateRange
    output: Answer<JsonPiece>
  }
}

export const inVersion = z.strictObject({
  site: siteIdText,
  materialId: z.string().min(1),
  versionId: z.string(),
})

const statePath = z.array(z.union([z.string(), z.int().min(0)])).max(300)

export const versionInputs: Inputs<VersionCalls> = {
  queryVersions: inMaterial.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
  inspectVersion: inVersion,
  markVersion: inVersion.extend({ marks: marksToSet }),
  readVersionText: inVersion.extend({
    part: z.enum(['html', 'state']),
    offset: z.int().min(0),
    maxBytes: z
      .int()
      .min(16)
      .max(1024 * 1024),
  }),
  readStateLevel: inVersion.extend({
    path: statePath,
    offset: z.int().min(0),
    limit: z.int().min(1).max(1000),
  }),
  readStateValue: inVersion.extend({
    path: statePath,
    offset: z.int().min(0),
    limit: z
      .int()
      .min(1)
      .max(256 * 1024),
  }),
}
