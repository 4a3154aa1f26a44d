import type { ArchiveLimits } from '../../../contract/protocol/archive.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { MediaReference } from '../../../contract/domain/changes.ts'
import type { Remark } from '../../../contract/domain/remark.ts'
import type { Result } from '../../../contract/result.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'

/** A blob written to staging and synced; `packed` gives its offset in the pack of the same report. */
export interface StagedBlob {
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly at: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'packed'; readonly offset: number }
}

/** A whole file in staging, synced and named by its hash once it is adopted. */
export interface StagedFile {
  readonly path: string
  readonly sha256: Sha256
  readonly sizeBytes: number
}

/** What every job needs to know. `stagingDir` exists, is empty but for the archive, and belongs to this job. */
interface ArchiveJob {
  readonly archive: StagedFile
  readonly stagingDir: string
  readonly limits: ArchiveLimits
}

/** Unpacks a media ZIP (contract, Media ZIP contents), rewrites HTML and state to public URLs. */
export interface UnpackMediaJob extends ArchiveJob {
  readonly kind: 'unpackMedia'
  /** Public address before `/media/...`, without a trailing slash. */
  readonly publicBase: string
  /** The stored state of the current version, whose URLs serve for assets whose file did not come again. */
  readonly earlierState: BlobLocation | null
}

/** Unpacks a fonts ZIP (contract, Fonts ZIP contents), rewrites the CSS, fills the trees. */
export interface UnpackFontsJob extends ArchiveJob {
  readonly kind: 'unpackFonts'
  /** Public address of the snapshot's folder, with its trailing slash. */
  readonly publicFolder: string
  /** The `fonts` of the callback as JSON text, or null when it had none. */
  readonly tree: string | null
}

/** Removes a person, or what may not be kept of any archive, from the metadata of one that was kept. */
export interface CleanArchiveJob extends ArchiveJob {
  readonly kind: 'cleanArchive'
  /** Of the person; null to remove credentials. */
  readonly email: string | null
}

export type Job = UnpackMediaJob | UnpackFontsJob | CleanArchiveJob

interface Unpacked {
  /** Distinct by hash. Everything named here has reached the disk (fsync) before the report is sent. */
  readonly blobs: readonly StagedBlob[]
  /** The file that holds all `packed` blobs, or null when there are none. */
  readonly pack: StagedFile | null
  /** The archive to keep: the received one, or a copy without callback credentials. */
  readonly kept: StagedFile
  readonly warnings: readonly Remark[]
  /** Hosts of all URLs that the answer will carry, for the allowed-domains rule. */
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
  /** metadata_json.json as text, without callback credentials; null when the archive has none. */
  readonly metadata: string | null
  /** First heading or title of the page, or null. */
  readonly title: string | null
  /** The readable text of the page for the search index, capped. */
  readonly text: string
  /** Files of earlier saves that page and state name by their public URL. */
  readonly references: readonly MediaReference[]
}

export interface UnpackedFonts extends Unpacked {
  readonly kind: 'fonts'
  readonly files: readonly NamedBlob[]
  readonly css: NamedBlob
  /** vms_fonts.json, filled; null when the archive has none. */
  readonly tree: NamedBlob | null
  /** The callback's own tree, filled: what the answer carries; null when the callback had none. */
  readonly answerTree: NamedBlob | null
}

/** `kept`: the cleaned archive; null when there was nothing to remove. */
export interface RewrittenArchive {
  readonly kind: 'rewritten'
  readonly kept: StagedFile | null
}

export type JobReport = UnpackedMedia | UnpackedFonts | RewrittenArchive

/** Failures that an archive can cause by itself. */
export type ArchiveFailure = Extract<
  CallbackFailure,
  { kind: 'invalid_archive' | 'missing_asset' | 'content_too_large' | 'storage_failed' }
>

export type JobResult<J extends Job> = Result<
  J extends UnpackMediaJob ? UnpackedMedia : J extends UnpackFontsJob ? UnpackedFonts : RewrittenArchive,
  ArchiveFailure
>

/** From the thread, which is sent a `Job`. */
export interface Report {
  readonly result: Result<JobReport, ArchiveFailure>
  /** Milliseconds by step, for the callback's waterfall. */
  readonly steps: readonly { readonly name: string; readonly ms: number }[]
}
