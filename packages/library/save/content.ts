import type { Steps } from '@galley/platform'
import type { CallbackFailure, CallbackId, Result, Sha256, SignedCallback, VersionId } from '@galley/wire'

import type { NamedBlob, StagedFile, UnpackedFonts, UnpackedMedia } from '../archive/jobs.ts'
import type { StoredSave } from '../db/save/save-draft.ts'
import type { LoggedDelivery } from '../records/changes.ts'
import type { Site } from '../records/site.ts'
import type { SharedStaging } from '../vault/staging.ts'

/** A callback that is signed, well-formed and allowed. */
export interface Save {
  readonly id: CallbackId
  readonly site: Site
  readonly callback: SignedCallback
  readonly receivedAt: string
  /** The unsigned parts of the request that are kept; `payload` is redacted JSON text. */
  readonly request: Pick<LoggedDelivery, 'payload' | 'headers' | 'bodyBytes'>
  readonly steps: Steps
  /** Why it may no longer be stored. Absent if no one else writes to the library meanwhile. */
  readonly refusal?: () => CallbackFailure | null
  /** The value of `performance.now()` when the whole body had arrived. */
  readonly startedMs: number
}

/** A file of an archive that becomes public, and its path under the site's public address. */
export interface PublicBlob {
  readonly path: string
  readonly blob: NamedBlob
  /** False if the same path gets new content later. */
  readonly immutable: boolean
}

/** The content of an archive, ready to be moved into place and indexed. */
export interface Content {
  readonly unpacked: UnpackedMedia | UnpackedFonts
  /** The version or, for fonts, the snapshot. */
  readonly versionId: VersionId
  /** What the index now has under that name: nothing, the same content, or other content. */
  readonly known: () => 'nothing' | 'same' | 'other'
  /** The blob for the answer's `data`; a fonts callback without a tree has none. */
  readonly answer: Sha256 | null
  readonly rows: StoredSave['content']
  /** Made on request: a listener that serves files itself does not need them. */
  readonly publicBlobs: () => readonly PublicBlob[]
}

/** Reads one kind of archive. Writes only to `staging`. */
export type ContentReader = (
  save: Save,
  archive: StagedFile,
  staging: SharedStaging,
) => Promise<Result<Content, CallbackFailure>>
