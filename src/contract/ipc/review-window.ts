import { z } from 'zod'

import type { Answer, Inputs } from './problem.ts'
import type { AppSettings } from './settings.ts'
import type { GivenVerdict, Verdict } from './versions.ts'
import { givenVerdict } from './versions.ts'
import type { KeyPress } from '../domain/key-press.ts'
import { keyOf } from '../domain/key-press.ts'
import type { MaterialId, Sha256, SiteId } from '../ids.ts'
import type { MediaChange } from '../domain/media-changes.ts'
import type { VersionFacts } from '../domain/version.ts'

// What the frame of a review window and main say to each other. The frame is ours; the pages inside it are not, and have
// no way to say anything.

/** One version of the material under review. */
export interface ReviewVersion extends VersionFacts {
  readonly htmlSha256: Sha256
  readonly verdict: Verdict | null
}

/** What a review window is about. */
export interface Review {
  readonly site: SiteId
  readonly siteName: string
  readonly environment: 'dev' | 'prod' | null
  readonly materialId: MaterialId
  readonly title: string
  /** Newest first. */
  readonly versions: readonly ReviewVersion[]
  /** What the window was opened with. */
  readonly versionId: string
  readonly compareWith: string | null
}

/** Where a page lies in the frame, in pixels of the frame, and how wide it believes to be. */
const place = z.strictObject({
  x: z.int().min(0).max(20_000),
  y: z.int().min(0).max(20_000),
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
  viewportWidth: z.int().min(200).max(5000),
})
export type PagePlace = z.infer<typeof place>

/** Pages of a window, from left to right. When two are shown, the left one is the older. */
export const paneNames = ['left', 'right'] as const
export type PaneName = (typeof paneNames)[number]

/** Why the process of a page ended: by itself, or by Galley because of its memory or because it no longer responded. */
export type PageEnd = 'crashed' | 'memory' | 'hanging'

/** A page as it was brought up. */
export interface ShownPage {
  /** Addresses of this site that the page names and the library does not have. */
  readonly missing: readonly string[]
}

/** The texts of two versions, made ready for comparing. */
export interface ComparedTexts {
  readonly before: string
  readonly after: string
  /** Only the beginnings are compared, since at least one of the texts is longer. */
  readonly isCut: boolean
}

export const textParts = ['text', 'html', 'state'] as const
export type TextPart = (typeof textParts)[number]

export interface ReviewCalls {
  readReview: { input: undefined; output: Answer<Review> }
  /** Brings a version up in a pane, with its pictures and films or without them; null empties it. */
  showPage: {
    input: { pane: PaneName; versionId: string | null; hasImages: boolean }
    output: Answer<ShownPage | null>
  }
  /** Puts the pages where the frame has room for them; null hides one. */
  placePages: { input: Readonly<Record<PaneName, PagePlace | null>>; output: null }
  /** Whether scrolling one page scrolls the other. */
  syncScroll: { input: { on: boolean }; output: null }
  /** Gives the keyboard to a page. */
  focusPage: { input: { pane: PaneName }; output: null }
  compareTexts: { input: { part: TextPart; before: string; after: string }; output: Answer<ComparedTexts> }
  compareMedia: { input: { before: string; after: string }; output: Answer<readonly MediaChange[]> }
  /** Says what the one who looks thinks of a version. */
  judgeVersion: { input: { versionId: string; verdict: GivenVerdict }; output: Answer<null> }
  closeReview: { input: undefined; output: null }
  /** Puts a text on the clipboard. */
  copyText: { input: { text: string }; output: null }
  /** Brings the window of the library to the front, on its way into the editor with this material. */
  openInEditor: { input: undefined; output: null }
  /** Brings the window of the library to its Health screen. */
  showHealth: { input: undefined; output: null }
  readSettings: { input: undefined; output: AppSettings }
}

const versionPair = z.strictObject({ before: z.string(), after: z.string() })
const pane = z.enum(paneNames)

export const reviewInputs: Inputs<ReviewCalls> = {
  readReview: z.undefined(),
  showPage: z.strictObject({ pane, versionId: z.string().nullable(), hasImages: z.boolean() }),
  placePages: z.strictObject({ left: place.nullable(), right: place.nullable() }),
  syncScroll: z.strictObject({ on: z.boolean() }),
  focusPage: z.strictObject({ pane }),
  compareTexts: versionPair.extend({ part: z.enum(textParts) }),
  compareMedia: versionPair,
  judgeVersion: z.strictObject({ versionId: z.string(), verdict: givenVerdict }),
  closeReview: z.undefined(),
  copyText: z.strictObject({ text: z.string().max(20_000) }),
  openInEditor: z.undefined(),
  showHealth: z.undefined(),
  readSettings: z.undefined(),
}

export interface ReviewEvents {
  settings: AppSettings
  /** Something in the library may differ from what was last read. */
  changed: unknown
  /** A key was pressed while a page had the keyboard, and the page has no use for it. */
  keyPressed: KeyPress & { readonly pane: PaneName }
  /** A page's process ended; nothing that is stored is touched. */
  pageDied: { readonly pane: PaneName; readonly why: PageEnd }
  /** A file of a page that was asked for cannot be read from the disk; by its name at the save. */
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
 * Whether a page that has the keyboard takes this key itself: to scroll, to walk through its links, to copy. Nothing can be
 * typed into a page under review, so every other key is the frame's.
 */
export const isKeyOfPage = (pressed: KeyPress): boolean =>
  scrollingKeys.has(pressed.key) || ((pressed.ctrlKey || pressed.metaKey) && /^[ac]$/i.test(keyOf(pressed)))
