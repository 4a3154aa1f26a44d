import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import type { TextPart } from '../../../contract/ipc/review-window.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'

/** A stored text: where its bytes lie, and the hash they have to have. */
export interface StoredText extends BlobLocation {
  readonly sha256: Sha256
}

/** Points the references of a page, and of the style sheet of its fonts, at what is shown beside it. */
export interface PageJob {
  readonly html: StoredText
  readonly css: StoredText | null
  /** Public addresses of the library's files and what takes their place. */
  readonly targets: readonly (readonly [publicUrl: string, target: string])[]
  /** Under which this site's files are or were public; addresses below them that have no target are reported. */
  readonly publicBases: readonly string[]
}

/** Makes the texts of two versions ready for comparing, each cut after `maxChars` UTF-16 units. */
export interface TextsJob {
  readonly part: TextPart
  readonly before: StoredText
  readonly after: StoredText
  readonly maxChars: number
}

export interface PreparedPage {
  readonly html: string
  readonly css: string | null
  readonly missing: readonly string[]
}

export interface PreparedTexts {
  readonly before: string
  readonly after: string
  readonly isCut: boolean
}

/** A stored text that is not there any more, or is not what was saved. */
export interface DamagedText {
  readonly kind: 'damaged_blob'
  readonly sha256: Sha256
  readonly problem: 'altered' | 'unreadable'
}

/** The jobs of a background thread that review windows need. */
export interface ReviewJobs {
  reviewPage: { input: PageJob; output: Result<PreparedPage, DamagedText> }
  reviewTexts: { input: TextsJob; output: Result<PreparedTexts, DamagedText> }
}
