import type { KeyPress } from '@galley/look'
import { keyOf } from '@galley/look'

// Pages under review. They do not belong to Galley, and cannot send messages.

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

/** The parts of a version that are compared as they are stored. */
export const textParts = ['html', 'state'] as const
export type TextPart = (typeof textParts)[number]

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
 * all other keys belong to the window.
 */
export const isKeyOfPage = (pressed: KeyPress): boolean =>
  scrollingKeys.has(pressed.key) || ((pressed.ctrlKey || pressed.metaKey) && /^[ac]$/i.test(keyOf(pressed)))
