import type { BlobLocation } from '@galley/platform'
import type { ArchiveLimits, CallbackFailure, Result, Sha256 } from '@galley/wire'

import type { MediaReference } from '../records/changes.ts'
import type { Remark } from '../records/remark.ts'

/** A blob that was written to staging and synced. `packed` is its offset in the pack of the same report. */
export interface StagedBlob {
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly at: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'packed'; readonly offset: number }
}

/** A whole file in staging, synced. Named by its hash once it is adopted. */
export interface StagedFile {
  readonly path: string
  readonly sha256: Sha256
  readonly sizeBytes: number
}

/** The input of every job. */
interface ArchiveJob {
  readonly archive: StagedFile
  /** An existing folder. */
  readonly stagingDir: string
  /** What the names of the job's files start with, where jobs share the folder. Without it, the folder is the job's own. */
  readonly stagingPrefix?: string
  readonly limits: ArchiveLimits
}

/** Unpacks a media ZIP (contract, Media ZIP contents) and rewrites HTML and state to public URLs. */
export interface UnpackMediaJob extends ArchiveJob {
  readonly kind: 'unpackMedia'
  /** The public URL before `/media/...`, without a trailing slash. */
  readonly publicBase: string
  /** Whether a web server serves the files from a folder. Some need other names there. */
  readonly isInFolder: boolean
  /** Where files of the site are or were public. */
  readonly ownBases: readonly string[]
  /** The stored state of the current version. Its URLs apply to assets without a file in the archive. */
  readonly earlierState: BlobLocation | null
}

/** Unpacks a fonts ZIP (contract, Fonts ZIP contents), rewrites the CSS and fills the font trees. */
export interface UnpackFontsJob extends ArchiveJob {
  readonly kind: 'unpackFonts'
  /** The public URL of the snapshot's folder, with a trailing slash. */
  readonly publicFolder: string
  /** As for media. */
  readonly isInFolder: boolean
  /** `fonts` of the callback as JSON text, or null if absent. */
  readonly tree: string | null
}

/** Removes a person's data or credentials from the metadata of a stored archive. */
export interface CleanArchiveJob extends ArchiveJob {
  readonly kind: 'cleanArchive'
  /** The person's e-mail address; null to remove credentials. */
  readonly email: string | null
}

export type Job = UnpackMediaJob | UnpackFontsJob | CleanArchiveJob

/** A file that may refer to others, and the files of earlier saves that it refers to. */
export interface ReferringFile {
  readonly sheet: Sha256
  readonly references: readonly MediaReference[]
}

interface Unpacked {
  /** Distinct by hash. All of them are synced before the report is sent. */
  readonly blobs: readonly StagedBlob[]
  /** The file with all `packed` blobs, or null if there are none. */
  readonly pack: StagedFile | null
  /** The archive to store: the received one, or a copy without callback credentials. */
  readonly kept: StagedFile
  readonly warnings: readonly Remark[]
  /** The files whose references were read; the others are read later. */
  readonly sheets: readonly ReferringFile[]
  /** The hosts of all URLs in the response, for the allowed-domains rule. */
  readonly answerHosts: readonly string[]
}

export interface NamedBlob {
  readonly name: string
  readonly sha256: Sha256
  readonly sizeBytes: number
}

export interface UnpackedMedia extends Unpacked {
  readonly kind: 'media'
  readonly media: readonly NamedBlob[]
  readonly html: NamedBlob
  readonly state: NamedBlob
  /** metadata_json.json as text without callback credentials; null if the archive has none. */
  readonly metadata: string | null
  /** The first heading or title of the page, or null. */
  readonly title: string | null
  /** The visible text of the page for the search index, truncated. */
  readonly text: string
  /** Files of earlier saves to whose public URLs the page and state refer. */
  readonly references: readonly MediaReference[]
  /** The references in page, state and files that are certainly URLs of this site. */
  readonly ownReferences: readonly MediaReference[]
}

export interface UnpackedFonts extends Unpacked {
  readonly kind: 'fonts'
  readonly files: readonly NamedBlob[]
  readonly css: NamedBlob
  /** vms_fonts.json, filled; null if the archive has none. */
  readonly tree: NamedBlob | null
  /** The callback's own tree, filled, for the response; null if the callback had none. */
  readonly answerTree: NamedBlob | null
}

/** `kept`: the cleaned archive; null if there was nothing to remove. */
export interface RewrittenArchive {
  readonly kind: 'rewritten'
  readonly kept: StagedFile | null
}

export type JobReport = UnpackedMedia | UnpackedFonts | RewrittenArchive

/** Failures that an archive alone can cause. */
export type ArchiveFailure = Extract<
  CallbackFailure,
  { kind: 'invalid_archive' | 'missing_asset' | 'content_too_large' | 'storage_failed' }
>

export type JobResult<J extends Job> = Result<
  J extends UnpackMediaJob ? UnpackedMedia : J extends UnpackFontsJob ? UnpackedFonts : RewrittenArchive,
  ArchiveFailure
>

/** The response of the thread to a `Job`. */
export interface Report {
  readonly result: Result<JobReport, ArchiveFailure>
  /** Milliseconds per step, for the callback's waterfall. */
  readonly steps: readonly { readonly name: string; readonly ms: number }[]
}
