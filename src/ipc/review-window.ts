import { wantedVerdict } from '@galley/library/records'
import type { Answer, AppSettings, MediaChange, Verdict, VersionFacts } from '@galley/library/records'
import type { KeyPress } from '@galley/look'
import { keyOf } from '@galley/look'
import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import { asks, nothing, versionId } from './call.ts'
import { pageFault } from './diagnostics.ts'

// The messages between main and the frame of a review window. The frame belongs to Galley. The pages inside it do not, and
// cannot send messages.

/** A version of the material under review. */
export interface ReviewVersion extends VersionFacts {
  readonly htmlSha256: Sha256
  readonly verdict: Verdict | null
}

/** The contents of a review window. */
export interface Review {
  readonly site: SiteId
  readonly siteName: string
  readonly environment: 'dev' | 'prod' | null
  readonly materialId: MaterialId
  readonly title: string
  /** Newest first. */
  readonly versions: readonly ReviewVersion[]
  /** The version with which the window was opened. */
  readonly versionId: VersionId
  readonly compareWith: string | null
}

/** The position of a page in the frame, in pixels of the frame, and the viewport width that the page sees. */
const place = z.strictObject({
  x: z.int().min(0).max(20_000),
  y: z.int().min(0).max(20_000),
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
  viewportWidth: z.int().min(200).max(5000),
})
export type PageArea = z.infer<typeof place>

/** The pages of a window, from left to right. If two are shown, the left one is older. */
export const paneNames = ['left', 'right'] as const
export type PaneName = (typeof paneNames)[number]

/** Why the process of a page ended: a crash, or Galley ended it because of its memory or because it did not respond. */
export type PageEnd = 'crashed' | 'memory' | 'hanging'

/**
 * Why a file that a page names is not shown. `missing`: not stored under its address. `elsewhere`: on another site, and nothing is loaded from
 * there. `script`: only a script would load it. `kind`: files of its kind are not shown in a frame.
 */
export const unshownReasons = ['missing', 'elsewhere', 'kind', 'script'] as const
export type UnshownReason = (typeof unshownReasons)[number]

/** Files that are not shown for one reason: how many, and the names or addresses of the first ones. */
export interface Unshown {
  readonly why: UnshownReason
  readonly count: number
  readonly names: readonly string[]
}

/** A page that was loaded. */
export interface ShownPage {
  /** In the order of `unshownReasons`; without those that no file has. */
  readonly unshown: readonly Unshown[]
  /** Whether the page has scripts, which never run in review. */
  readonly hasScripts: boolean
}

/** The texts of two versions, prepared for comparison. */
export interface ComparedTexts {
  readonly before: string
  readonly after: string
  /** True if at least one text is too long, so only the beginnings are compared. */
  readonly isCut: boolean
}

export const textParts = ['text', 'html', 'state'] as const
export type TextPart = (typeof textParts)[number]

const versionPair = z.strictObject({ before: z.string(), after: z.string() })
const pane = z.enum(paneNames)

export const reviewCalls = {
  readReview: asks(nothing).gives<Answer<Review>>(),
  /** Loads a version into a pane, with or without its media; null empties the pane. */
  showPage: asks(z.strictObject({ pane, versionId: versionId.nullable(), hasImages: z.boolean() })).gives<
    Answer<ShownPage | null>
  >(),
  /** Positions the pages; null hides one. */
  placePages: asks(z.strictObject({ left: place.nullable(), right: place.nullable() })).gives<null>(),
  /** Whether the pages scroll together. */
  syncScroll: asks(z.strictObject({ on: z.boolean() })).gives<null>(),
  /** Moves the keyboard focus to a page. */
  focusPage: asks(z.strictObject({ pane })).gives<null>(),
  compareTexts: asks(versionPair.extend({ part: z.enum(textParts) })).gives<Answer<ComparedTexts>>(),
  compareMedia: asks(versionPair).gives<Answer<readonly MediaChange[]>>(),
  /** Stores the reviewer's verdict about a version. */
  judgeVersion: asks(z.strictObject({ versionId, verdict: wantedVerdict })).gives<Answer<null>>(),
  closeReview: asks(nothing).gives<null>(),
  /** Copies a text to the clipboard. */
  copyText: asks(z.strictObject({ text: z.string().max(20_000) })).gives<null>(),
  /** Focuses the main window and opens this material in the editor. */
  openInEditor: asks(nothing).gives<null>(),
  /** Focuses the main window on its Health screen. */
  showHealth: asks(nothing).gives<null>(),
  readSettings: asks(nothing).gives<AppSettings>(),
  /** Writes an error of the frame to the log. */
  reportFault: asks(pageFault).gives<null>(),
}

export interface ReviewEvents {
  settings: AppSettings
  /** The library may have changed since it was last read. */
  changed: unknown
  /** A key was pressed while a page had the focus, and the page does not use it. */
  keyPressed: KeyPress & { readonly pane: PaneName }
  /** The process of a page ended. Stored data is not affected. */
  pageDied: { readonly pane: PaneName; readonly why: PageEnd }
  /** A file requested by a page cannot be read from disk. `name` is its name at the save. */
  fileLost: { readonly pane: PaneName; readonly name: string }
}

const scrollingKeys = new Set([
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  ' ',
  'Tab',
  'Enter',
  'Shift',
])

/**
 * Whether a focused page handles this key: to scroll, to move between links, to copy. Pages under review accept no text, so
 * all other keys belong to the frame.
 */
export const isKeyOfPage = (pressed: KeyPress): boolean =>
  scrollingKeys.has(pressed.key) || ((pressed.ctrlKey || pressed.metaKey) && /^[ac]$/i.test(keyOf(pressed)))
