import type { Band, Bitmap, BlockPair, Box, BoxPair, Change, PagePixels } from '@galley/compare'

import { decodePng, encodeMask } from './png.ts'

/** Pictures of one page at one width, from its top to its end. */
export interface CapturedPage {
  readonly width: number
  /** The rows that scroll. What does not is in `layer`, below them. */
  readonly height: number
  readonly slices: readonly CapturedSlice[]
  /** A picture of the first screen with what does not scroll; null: all of it does. */
  readonly layer: CapturedSlice | null
  /** Where its blocks are, in the order that was asked for; null: not shown. Below `height`: in the layer. */
  readonly boxes: readonly (Box | null)[]
  readonly ignored: readonly Box[]
  /** Whether it is longer than the pictures. */
  readonly isCut: boolean
}

export interface CapturedSlice {
  readonly top: number
  readonly png: Uint8Array
}

export interface PicturesJob {
  readonly before: CapturedPage
  readonly after: CapturedPage
  readonly pairs: readonly BlockPair[]
  readonly changes: readonly Change[]
}

/** What differs in pictures of two pages at one width. */
export interface ComparedPictures {
  /** Whether all pixels are equal, where they are. */
  readonly isEqual: boolean
  /** What lies at the same height if what belongs together does. */
  readonly bands: readonly Band[]
  readonly changed: number
  readonly total: number
  /** Blocks that look different although nothing changed in them. */
  readonly looks: readonly Change[]
  /** Where pixels of the second page differ, as transparent pictures. */
  readonly masks: readonly CapturedSlice[]
}

const maskRows = 2000

/** Compares pictures of two pages. */
export async function comparePictures({ before, after, pairs, changes }: PicturesJob): Promise<ComparedPictures> {
  // Imported on demand, like the parser that is in it.
  const { bandsOf, comparePixels, looksOf } = await import('@galley/compare')
  const [one, other] = [pixelsOf(before), pixelsOf(after)]
  const boxes = pairBoxes(pairs, before, after)
  const bands = bandsOf(boxes, before.height, after.height)
  if (isSame(one, other) && before.isCut === after.isCut)
    return { isEqual: !before.isCut, bands, changed: 0, total: other.width * other.flow, looks: [], masks: [] }
  const compared = comparePixels(one, other, boxes)
  const masks: CapturedSlice[] = []
  for (let top = 0; top < other.flow; top += maskRows) {
    const rows = Math.min(maskRows, other.flow - top)
    const plane = compared.mask.subarray(top * other.width, (top + rows) * other.width)
    if (plane.includes(1)) masks.push({ top, png: encodeMask(plane, other.width, rows) })
  }
  const { changed, total } = compared
  return { isEqual: false, bands, changed, total, looks: looksOf(pairs, boxes, compared, changes), masks }
}

/** The boxes of pairs: those that each page was asked for have its boxes in their order. */
function pairBoxes(
  pairs: readonly BlockPair[],
  before: Pick<CapturedPage, 'boxes'>,
  after: Pick<CapturedPage, 'boxes'>,
): readonly BoxPair[] {
  let [atBefore, atAfter] = [0, 0]
  return pairs.map((pair) => ({
    before: pair.before === null ? null : (before.boxes[atBefore++] ?? null),
    after: pair.after === null ? null : (after.boxes[atAfter++] ?? null),
    isOuter: pair.isOuter,
    isMoved: pair.isMoved,
  }))
}

function pixelsOf({ width, height, slices, layer, ignored }: CapturedPage): PagePixels {
  const below = layer && decodePng(layer.png)
  const rows = height + (below?.height ?? 0)
  const data = new Uint8Array(width * rows * 4)
  const put = (picture: Bitmap, top: number, end: number): void => {
    if (picture.width !== width) throw new Error('A picture of a page has another width')
    data.set(picture.data.subarray(0, Math.min(picture.height, end - top) * width * 4), top * width * 4)
  }
  // One after the other: all of them as pixels take as much memory again.
  for (const { top, png } of slices) put(decodePng(png), top, height)
  if (below !== null) put(below, height, rows)
  return { width, height: rows, flow: height, data, ignored }
}

function isSame(one: PagePixels, other: PagePixels): boolean {
  if (one.width !== other.width || one.height !== other.height || one.flow !== other.flow) return false
  return Buffer.compare(one.data, other.data) === 0
}
