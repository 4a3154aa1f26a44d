import type { BlockPlace, Change, ChangeKind, Comparison, Summary } from '@galley/compare'
import { commentAnchor, commentId, fieldMax } from '@galley/library/records'
import type { Answer, IgnoredPart, ReviewedCheck } from '@galley/library/records'
import type { KeyPress } from '@galley/look'
import type { VersionId } from '@galley/wire'
import { z } from 'zod'

import { asks, inMaterial, inVersion, nothing, versionId } from './call.ts'
import type { CommentSelection } from './comments.ts'
import { elementPath } from './comments.ts'
import { versionPair } from './media.ts'
import type { PagePictures } from './page-pictures.ts'
import { viewportWidths } from './page-pictures.ts'
import type { PreviewArea } from './preview-view.ts'
import { previewArea } from './preview-view.ts'
import type { ComparedTexts, PageEnd, ShownPage } from './review-window.ts'
import { textParts } from './review-window.ts'
import { versionFileKinds } from './version-files.ts'

// The review desk of a window: the page that is read, with marks on what changed.

export type { BlockPlace, Change, ChangeKind }

/** What changed between two pages, with the facts of a sentence about it. */
export interface ComparedPages extends Comparison {
  readonly summary: Summary
  readonly checks: readonly ReviewedCheck[]
}

/** A page under review and the version that it is compared with; null: all of it is new. Shown alone, or as it would be published. */
const pair = versionPair.extend({ inTheme: z.boolean() })
export type ComparedPair = z.output<typeof pair>

/** `now`: the version under review, with its marks. `before`: the one that it is compared with. `both`: side by side. */
export const deskSides = ['now', 'before', 'both'] as const
export type DeskSide = (typeof deskSides)[number]

/** A page on the desk. */
export interface DeskPage extends ShownPage {
  /** Null: all of the page is new. */
  readonly compared: ComparedPages | null
  /** For each change, where its mark is in the height of the page, from 0 to 1; null: it has none. */
  readonly marks: readonly (number | null)[]
  /** Names of files that the page requested and the disk has lost; `deskFileLost` tells of later ones. */
  readonly lost: readonly string[]
}

/** What a comment would be about: a version of the page, a place in it, and how that is called. */
export interface CommentSubject {
  readonly versionId: VersionId
  readonly selection: CommentSelection
  readonly label: string
}

/** A part of a page whose looks are not compared, and the blocks of it that are in a version; none: it is not found there. */
export interface FoundPart extends IgnoredPart {
  readonly places: readonly BlockPlace[]
}

const { block, region } = commentAnchor.options[1].shape
/** A comment with its number in the list, and its places in the page under review. */
const pinnedComment = z.strictObject({
  id: commentId,
  number: z.int().min(1),
  region: region.nullable(),
  places: z
    .array(
      z.strictObject({
        block,
        text: z.string().max(10_000_000),
        range: z.tuple([z.int().min(0), z.int().min(0)]).nullable(),
        picture: z.int().min(0).nullable(),
      }),
    )
    .max(1_000),
})
export type PinnedComment = z.output<typeof pinnedComment>

const word = z.string().max(2_000)
const savedVersion = inMaterial.extend({
  versionId,
  kind: z.enum([...versionFileKinds, 'pdf', 'png', 'report', 'reportPdf']),
  /** Of a report. */
  report: z
    .strictObject({
      from: versionId.nullable(),
      withNames: z.boolean(),
      language: z.string().max(20),
      texts: z.record(z.string().max(50), word),
      summary: word,
      changes: z.array(word).max(100_000),
      elsewhere: z.array(word).max(100),
    })
    .nullable(),
})
export type SavedVersion = z.output<typeof savedVersion>

/** A file that was written. `isCut`: it is a picture of the beginning of a page that is longer. */
export interface SavedFile {
  readonly path: string
  readonly isCut: boolean
}

export const deskCalls = {
  /**
   * Shows a page with its marks; null if another page was asked for meanwhile. `deskPainted` follows when it is painted.
   * The pages in `next` are loaded after it. Without its images and videos a page needs less memory.
   */
  showDeskPage: asks(z.strictObject({ page: pair, next: z.array(pair).max(2), hasImages: z.boolean() })).gives<
    Answer<DeskPage | null>
  >(),
  showDeskSide: asks(z.strictObject({ side: z.enum(deskSides) })).gives<null>(),
  /** Scrolls to a change, by its number from 0, and emphasises its mark. */
  goToDeskChange: asks(z.strictObject({ change: z.int().min(0) })).gives<null>(),
  /**
   * What a comment is about: what is selected in a page, else what was clicked there, else this change, else what is in the
   * upper part of the screen if that may be meant. Null: nothing of these.
   */
  findCommentSubject: asks(
    z.strictObject({ change: z.int().min(0).nullable(), mayBeInSight: z.boolean() }),
  ).gives<CommentSubject | null>(),
  /** Shows where comments are on the page under review. */
  pinDeskComments: asks(z.strictObject({ versionId, comments: z.array(pinnedComment).max(1_000) })).gives<null>(),
  /** The texts of the page under review with too little contrast, measured as it is shown. */
  measureContrast: asks(nothing).gives<readonly ReviewedCheck[]>(),
  /** Scrolls to a pinned comment, or to a block of the page. */
  goToDeskPlace: asks(z.union([z.strictObject({ comment: commentId }), z.strictObject({ block })])).gives<null>(),
  /**
   * Saves a version where a person chooses: its page or its archive as stored, the page on paper or as one picture, or a report
   * of its changes from `from`, in the words of the window. Null: nothing was chosen.
   */
  saveVersion: asks(savedVersion).gives<Answer<SavedFile | null>>(),
  /** The parts of a material whose looks are not compared, and where they are in a version. */
  ignoredParts: asks(inVersion).gives<Answer<readonly FoundPart[]>>(),
  /** A part of a version: the block around an element, or null: all that is in some blocks. Null: there is nothing, or too much. */
  partOfPage: asks(
    inVersion.extend({ around: elementPath.nullable(), within: z.array(block).max(fieldMax.partBlocks) }),
  ).gives<Answer<IgnoredPart | null>>(),
  /** Compares the looks of the shown page again. */
  lookAgain: asks(nothing).gives<null>(),
  /**
   * Both pages as pictures of one width, and what differs in them. `isFirst`: their first screens are enough, if these are
   * there before all of them.
   */
  deskPictures: asks(
    pair.extend({ before: versionId, width: z.literal(Object.values(viewportWidths)), isFirst: z.boolean() }),
  ).gives<Answer<PagePictures>>(),
  /** Where the page is in the window, null hides it; and how wide it is for its layout, null: as wide as its place. */
  placeDesk: asks(
    z.strictObject({ place: previewArea.nullable(), width: z.literal(Object.values(viewportWidths)).nullable() }),
  ).gives<null>(),
  /** Moves the keyboard focus into the page, or out of it. */
  focusDesk: asks(z.strictObject({ isInside: z.boolean() })).gives<null>(),
  /** Parts of two versions as texts with lines, to be compared. */
  compareTexts: asks(versionPair.extend({ before: versionId, part: z.enum(textParts) })).gives<Answer<ComparedTexts>>(),
  /** Shows Delivery in the main window. */
  showHealth: asks(nothing).gives<null>(),
  /** Opens a material in the editor, from the main window. */
  openInEditor: asks(inMaterial).gives<null>(),
  /** Exports a version with its files, from the main window. */
  exportVersion: asks(inVersion).gives<null>(),
  /** Closes all pages of the desk. */
  leaveDesk: asks(nothing).gives<null>(),
}

export type { PreviewArea as DeskArea }

export interface DeskEvents {
  /** A key that was pressed in a page, and that the page does not use. */
  deskKey: KeyPress & { readonly isRepeated: boolean }
  /** The shown page is painted, with its marks. */
  deskPainted: { readonly versionId: VersionId }
  /** Pictures of the shown page were compared: all its changes, with those that only pixels tell, and their marks. */
  deskLooked: { readonly versionId: VersionId; readonly changes: readonly Change[]; readonly marks: DeskPage['marks'] }
  /** A file that a page names cannot be read from disk. `name`: its name at the save. */
  deskFileLost: { readonly versionId: VersionId; readonly name: string }
  /** The process of the shown page ended. */
  deskPageDied: { readonly versionId: VersionId; readonly why: PageEnd }
}
