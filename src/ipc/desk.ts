import type { BlockPlace, Change, ChangeKind, Comparison, Summary } from '@galley/compare'
import type { Answer } from '@galley/library/records'
import type { KeyPress } from '@galley/look'
import type { VersionId } from '@galley/wire'
import { z } from 'zod'

import { asks, inMaterial, nothing, versionId } from './call.ts'
import type { PreviewArea } from './preview-view.ts'
import { previewArea } from './preview-view.ts'
import type { PageEnd, ShownPage } from './review-window.ts'

// The review desk in the main window: the page that waits, with marks on what changed.

export type { BlockPlace, Change, ChangeKind }

/** What changed between two pages, with the facts of a sentence about it. */
export interface ComparedPages extends Comparison {
  readonly summary: Summary
}

/** A page under review and the version that it is compared with; null: all of it is new. */
const pair = inMaterial.extend({ before: versionId.nullable(), after: versionId })
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
}

export const deskCalls = {
  /**
   * Shows a page with its marks; null if another page was asked for meanwhile. `deskPainted` follows when it is painted.
   * The pages in `next` are loaded after it.
   */
  showDeskPage: asks(z.strictObject({ page: pair, next: z.array(pair).max(2) })).gives<Answer<DeskPage | null>>(),
  showDeskSide: asks(z.strictObject({ side: z.enum(deskSides) })).gives<null>(),
  /** Scrolls to a change, by its number from 0, and emphasises its mark. */
  goToDeskChange: asks(z.strictObject({ change: z.int().min(0) })).gives<null>(),
  /** Where the page is in the window; null hides it. */
  placeDesk: asks(z.strictObject({ place: previewArea.nullable() })).gives<null>(),
  /** Moves the keyboard focus into the page, or out of it. */
  focusDesk: asks(z.strictObject({ isInside: z.boolean() })).gives<null>(),
  /** Closes all pages of the desk. */
  leaveDesk: asks(nothing).gives<null>(),
}

export type { PreviewArea as DeskArea }

export interface DeskEvents {
  /** A key that was pressed in a page, and that the page does not use. */
  deskKey: KeyPress & { readonly isRepeated: boolean }
  /** The shown page is painted, with its marks. */
  deskPainted: { readonly versionId: VersionId }
  /** The process of the shown page ended. */
  deskPageDied: { readonly versionId: VersionId; readonly why: PageEnd }
}
