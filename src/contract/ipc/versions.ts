import { z } from 'zod'

import type { CallbackId, MaterialId, Sha256, SiteId } from '../ids.ts'
import type { MediaFile, VersionFacts } from '../domain/version.ts'
import { inMaterial } from './materials.ts'
import type { StoredFile } from './materials.ts'
import type { Remark } from '../domain/remark.ts'
import type { Answer, Inputs } from './problem.ts'
import { siteIdText } from './site-id.ts'

/** What somebody decided about a version. */
export interface Verdict {
  readonly kind: 'approved' | 'rejected'
  readonly note: string
  readonly at: string
}

/** What differs from the version before it, in files and bytes. */
export interface VersionChange {
  readonly bytes: number
  readonly pageChanged: boolean
  readonly stateChanged: boolean
  readonly mediaAdded: number
  readonly mediaRemoved: number
  readonly mediaChanged: number
}

/** One row of a material's timeline. */
export interface VersionRow extends VersionFacts {
  readonly site: SiteId
  readonly materialId: MaterialId
  /** Counted by arrival from 1; the number of a deleted version is not given again. */
  readonly number: number
  readonly warnings: readonly Remark[]
  readonly pinned: boolean
  readonly tags: readonly string[]
  readonly note: string
  readonly verdict: Verdict | null
  /** Whether some export holds it. */
  readonly exported: boolean
  readonly thumbnail: StoredFile | null
  /** null for the first version of a material. */
  readonly change: VersionChange | null
}

export interface VersionPage {
  readonly total: number
  readonly rows: readonly VersionRow[]
}

/** A media file with what it is. */
export interface VersionMedia extends MediaFile {
  /** As the listener serves it, e.g. `image/png`. */
  readonly type: string
  readonly isImage: boolean
  /** An earlier save brought it, and this version names it by its public URL. */
  readonly isEarlier: boolean
}

/** Everything about one version but its long texts, which `readVersionText` gives in parts. */
export interface VersionInspection {
  readonly version: VersionRow
  readonly media: readonly VersionMedia[]
  readonly hashes: {
    readonly html: Sha256
    readonly state: Sha256
    /** Of the archive as received, and as kept without callback credentials. */
    readonly archive: Sha256
    readonly kept: Sha256
  }
  readonly htmlBytes: number
  readonly stateBytes: number
  readonly archiveBytes: number
  /** JSON text, values that look like secrets hidden; null when the archive had none. */
  readonly metadata: string | null
  /** The callback that brought it. */
  readonly callbackId: CallbackId | null
  readonly exports: readonly { readonly exportId: string; readonly at: string; readonly target: string }[]
}

/** A piece of a stored text. Offsets are in bytes of UTF-8; a piece never parts a character. */
export interface TextPart {
  readonly text: string
  readonly offset: number
  readonly nextOffset: number | null
  readonly totalBytes: number
}

/** One member of an object or array of the editor state. */
export interface JsonMemberView {
  /** Key, or index as a number. */
  readonly key: string | number
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** Members of an object or array; characters of a string as written; 0 otherwise. */
  readonly size: number
  /** The beginning of its text, at most 300 characters. */
  readonly preview: string
  readonly isCut: boolean
}

export interface JsonLevel {
  readonly kind: JsonMemberView['kind']
  readonly total: number
  readonly members: readonly JsonMemberView[]
}

/** A piece of one value of the editor state, as it is written; offsets in UTF-16 units. */
export interface JsonPiece {
  readonly text: string
  readonly nextOffset: number | null
  readonly totalChars: number
}

/** What a person says of a version; null takes it back. */
export const givenVerdict = z
  .strictObject({ kind: z.enum(['approved', 'rejected']), note: z.string().max(10_000) })
  .nullable()
export type GivenVerdict = z.infer<typeof givenVerdict>

/** What may be changed on a version; what is left out stays. */
export const versionMarks = z.strictObject({
  pinned: z.boolean().optional(),
  tags: z.array(z.string().max(200)).max(50).optional(),
  note: z.string().max(10_000).optional(),
  verdict: givenVerdict.optional(),
})
export type VersionMarks = z.infer<typeof versionMarks>

/** A stretch of what lies at a place of the editor state. */
interface StatePlace {
  readonly site: string
  readonly materialId: string
  readonly versionId: string
  readonly path: readonly (string | number)[]
  readonly offset: number
  readonly limit: number
}

export interface VersionCalls {
  /** Newest first. */
  queryVersions: {
    input: { site: string; materialId: string; offset: number; limit: number }
    output: VersionPage
  }
  inspectVersion: { input: { site: string; materialId: string; versionId: string }; output: Answer<VersionInspection> }
  markVersion: {
    input: { site: string; materialId: string; versionId: string; marks: VersionMarks }
    output: Answer<VersionRow>
  }
  readVersionText: {
    input: {
      site: string
      materialId: string
      versionId: string
      part: 'html' | 'state'
      offset: number
      maxBytes: number
    }
    output: Answer<TextPart>
  }
  /** One level of the editor state, so that a tree can be opened step by step, whatever its size. */
  readStateLevel: {
    input: StatePlace
    output: Answer<JsonLevel>
  }
  /** One value of the editor state in pieces, for those that a level shows cut. */
  readStateValue: {
    input: StatePlace
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
  markVersion: inVersion.extend({ marks: versionMarks }),
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
