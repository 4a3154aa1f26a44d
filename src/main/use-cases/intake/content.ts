import type { SignedCallback } from '../../../contract/protocol/callback.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import type { CallbackId, Sha256 } from '../../../contract/ids.ts'
import type { Delivery } from '../../../contract/domain/changes.ts'
import type { Result } from '../../../contract/result.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { NamedBlob, StagedFile, UnpackedFonts, UnpackedMedia } from '../../library/archive/jobs.ts'
import type { StoredSave } from '../../library/db/library-index.ts'
import type { Steps } from '../../platform/timing/steps.ts'

/** A callback that is signed, well-formed and allowed: from here on it is work. */
export interface Save {
  readonly id: CallbackId
  readonly site: Site
  readonly callback: SignedCallback
  readonly receivedAt: string
  /** What is kept of the request beside what was signed; `payload` is redacted JSON text. */
  readonly request: Pick<Delivery, 'payload' | 'headers' | 'bodyBytes'>
  readonly steps: Steps
  /** Why it may not be stored by now. Absent where nobody else writes to the library meanwhile. */
  readonly refusal?: () => CallbackFailure | null
  /** The reading of `performance.now()` when the whole body was there. */
  readonly startedMs: number
}

/** A file of an archive that becomes public, and the path under the site's public address. */
export interface PublicBlob {
  readonly path: string
  readonly blob: NamedBlob
  /** False where the same path gets new content later. */
  readonly immutable: boolean
}

/** What one archive turned out to hold, ready to be moved into place and indexed. */
export interface Content {
  readonly unpacked: UnpackedMedia | UnpackedFonts
  /** The version or, for fonts, the snapshot. */
  readonly versionId: string
  /** What the index knows under that name by now: nothing, the same content, or other content. */
  readonly known: () => 'nothing' | 'same' | 'other'
  /** The blob that goes into the answer's `data`; a fonts callback without a tree has none. */
  readonly answer: Sha256 | null
  readonly rows: StoredSave['content']
  readonly publicBlobs: readonly PublicBlob[]
}

/** Reads one kind of archive; nothing outside `stagingDir` is written. */
export type ContentReader = (
  save: Save,
  archive: StagedFile,
  stagingDir: string,
) => Promise<Result<Content, CallbackFailure>>
