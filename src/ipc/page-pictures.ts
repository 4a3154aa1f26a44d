import type { Band } from '@galley/compare'

/** The widths at which pages are looked at: a phone, a tablet, a window. */
export const viewportWidths = { phone: 390, tablet: 820, desktop: 1280 } as const

/** A picture of a whole page, from its top to its end. */
export interface PagePicture {
  /** In pixels, with what is behind its last slice. */
  readonly height: number
  readonly slices: readonly PictureSlice[]
  /** Whether the page is longer than its picture. */
  readonly isCut: boolean
}

export interface PictureSlice {
  readonly top: number
  readonly url: string
}

/** Pictures of two pages at one width, and what differs in them. */
export interface PagePictures {
  readonly width: number
  /** Otherwise these are their first screens. */
  readonly isWhole: boolean
  readonly before: PagePicture
  readonly after: PagePicture
  /** What lies at the same height if what belongs together does. */
  readonly bands: readonly Band[]
  /** Where pixels of the second page differ, as pictures that are transparent elsewhere. */
  readonly masks: readonly PictureSlice[]
  /** The share of pixels that differ, from 0 to 1. */
  readonly share: number
}

export const pagePictureUrl = (id: string): string => `app://galley/page-picture?${id}`

/** The id in such a URL; null for any other URL. */
export const readPagePictureUrl = (url: string): string | null =>
  /^app:\/\/galley\/page-picture\?([0-9a-f-]{36})$/.exec(url)?.[1] ?? null
