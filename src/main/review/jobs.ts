import type { Anchor, BlockPlace, FoundAnchor, PageFile, PagePart, TextBlock } from '@galley/compare'
import type { DamagedText, StoredText, VersionToCompare } from '@galley/library'
import type { Result } from '@galley/wire'

import type { CommentSelection } from '../../ipc/comments.ts'
import type { ComparedTexts, ShownPage, TextPart } from '../../ipc/review-window.ts'
import type { ComparedPictures, PicturesJob } from './compare-pictures.ts'
import type { WholePicture } from './png.ts'

/** Rewrites the references of a page and its style sheets to the URLs of the review window. */
export interface PageJob {
  readonly html: StoredText
  readonly css: StoredText | null
  /** Media files of the page that are style sheets. */
  readonly sheets: readonly StoredText[]
  /** Public URLs of the library's files and their replacements. */
  readonly targets: readonly (readonly [publicUrl: string, target: string])[]
  /** The origin of the replacements, and the names of the files at them. */
  readonly origin: string
  readonly names: readonly (readonly [target: string, name: string])[]
  /** The current and earlier public base URLs of this site. URLs below them without a target are reported. */
  readonly publicBases: readonly string[]
}

/** Prepares the texts of two versions for comparison, each truncated to `maxChars` UTF-16 units. */
export interface TextsJob {
  readonly part: TextPart
  readonly before: StoredText
  readonly after: StoredText
  readonly maxChars: number
}

export interface PreparedPage extends ShownPage {
  readonly html: string
  /** The language that the page itself names. */
  readonly language: string | null
  readonly css: string | null
  /** In the order of the job; null for one that stays as it is. */
  readonly sheets: readonly (string | null)[]
  /** URLs of this site, and placeholders, that the page and its style sheets name without a target. */
  readonly missing: readonly string[]
}

/** Finds anchors of these pages in the target. `page`: the number of the page, or null for the target itself. */
export interface CommentsJob {
  readonly pages: readonly VersionToCompare[]
  readonly target: VersionToCompare
  readonly anchors: readonly { readonly page: number | null; readonly anchor: Anchor }[]
}

export interface SelectionJob {
  readonly page: VersionToCompare
  readonly selection: CommentSelection
}

/** A part of a page: the block around an element, or null: all that is in some blocks. */
export interface PartJob {
  readonly page: VersionToCompare
  readonly around: BlockPlace['path'] | null
  readonly within: readonly BlockPlace[]
}

/** The jobs of a background thread for review windows, and for comments. */
export interface ReviewJobs {
  encodeWhole: { input: WholePicture; output: Uint8Array | null }
  comparePictures: { input: PicturesJob; output: ComparedPictures }
  reviewPage: { input: PageJob; output: Result<PreparedPage, DamagedText> }
  reviewTexts: { input: TextsJob; output: Result<ComparedTexts, DamagedText> }
  /** The pictures of a page, and other files that it shows or plays. */
  pageFiles: { input: VersionToCompare; output: Result<readonly PageFile[], DamagedText> }
  readTexts: { input: VersionToCompare; output: Result<readonly TextBlock[], DamagedText> }
  findComments: { input: CommentsJob; output: Result<readonly FoundAnchor[], DamagedText> }
  partOfPage: { input: PartJob; output: Result<PagePart | null, DamagedText> }
  anchorSelection: {
    input: SelectionJob
    output: Result<Anchor, DamagedText | { readonly code: 'quote_not_found' | 'quote_ambiguous' }>
  }
}
