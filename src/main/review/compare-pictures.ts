import type { Band, Bitmap, BlockPair, BlockPlace, Box, BoxPair, Change, PagePixels } from '@galley/compare'

import { decodePng, encodeMask } from './png.ts'

/** Pictures of one page at one width, from its top to its end. */
export interface CapturedPage {
  readonly width: number
  /** The rows that scroll. What does not is in `layer`, below them. */
  readonly height: number
  readonly slices: readonly CapturedSlice[]
  /** A picture of the first screen with what does not scroll; null: all of it does. */
  readonly layer: CapturedSlice | null
  /** Where its blocks are, in the order that was asked for, not rounded; null: not shown. Below `height`: in the layer. */
  readonly boxes: readonly (Box | null)[]
  /** Whether it is longer than the pictures. */
  readonly isCut: boolean
}

/** While a page is captured. */
export interface CaptureProgress {
  /** Given the first screen as soon as it is there. */
  readonly onFirst: (screen: CapturedPage) => void
  /** The capture rejects once this is false. */
  readonly isWanted: () => boolean
}

/** A loaded page that is captured at several widths. */
export interface Capture {
  at(width: number, places: readonly BlockPlace[], progress?: CaptureProgress): Promise<CapturedPage>
}

export interface CapturedSlice {
  readonly top: number
  readonly png: Uint8Array
}

/** Boxes of a page behind those of the pairs are not compared, such as a clock. */
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
  const { boxes, ignored, seen } = pairBoxes(pairs, before, after)
  const [one, other] = [pixelsOf(before, ignored.before), pixelsOf(after, ignored.after)]
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
  return { isEqual: false, bands, changed, total, looks: looksOf(seen, boxes, compared, changes), masks }
}

/**
 * The boxes of pairs: those that each page was asked for have its boxes in their order. What only a part of is in the pictures
 * of both is not compared: it would differ in its size.
 */
function pairBoxes(pairs: readonly BlockPair[], before: CapturedPage, after: CapturedPage) {
  let [atBefore, atAfter] = [0, 0]
  const boxes = pairs.map((pair): BoxPair => {
    const one = pair.before === null ? null : (before.boxes[atBefore++] ?? null)
    const other = pair.after === null ? null : (after.boxes[atAfter++] ?? null)
    const { isOuter, isMoved } = pair
    return {
      before: one && rounded(one),
      after: other && rounded(other),
      isOuter,
      isMoved,
      isUneven: isUneven(one, other),
    }
  })
  const isCut = boxes.map((pair) => isCutIn(before, pair.before) || isCutIn(after, pair.after))
  const cut = boxes.filter(({ isOuter }, at) => isCut[at] === true && !isOuter)
  const ignored = {
    before: [...before.boxes.slice(atBefore).map((box) => box && rounded(box)), ...cut.map(({ before }) => before)],
    after: [...after.boxes.slice(atAfter).map((box) => box && rounded(box)), ...cut.map(({ after }) => after)],
  }
  const left = {
    before: ignored.before.filter((box) => box !== null),
    after: ignored.after.filter((box) => box !== null),
  }
  return {
    boxes: boxes.map((pair) => (isIgnored(pair, left) ? { ...pair, before: null, after: null } : pair)),
    ignored: left,
    // Nothing is told of a container of which only a part was compared.
    seen: pairs.map((pair, at) => (isCut[at] === true ? { ...pair, before: null, after: null } : pair)),
  }
}

/** What is in the layer lies below the height of a page, and is never cut. */
const isCutIn = ({ isCut, height, layer }: CapturedPage, box: Box | null): boolean =>
  isCut && box !== null && box.y + box.height > height && (layer === null || box.y < height)

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
})

/** Chromium counts in 64ths of a pixel. */
const leastPart = 1 / 128
const isUneven = (one: Box | null, other: Box | null): boolean =>
  one !== null &&
  other !== null &&
  [other.x - one.x, other.y - one.y].some((by) => Math.abs(by - Math.round(by)) > leastPart)

interface Ignored {
  readonly before: readonly Box[]
  readonly after: readonly Box[]
}

const isIgnored = ({ before, after, isOuter }: BoxPair, ignored: Ignored): boolean =>
  !isOuter &&
  ((before !== null && ignored.before.some((box) => holds(box, before))) ||
    (after !== null && ignored.after.some((box) => holds(box, after))))

const holds = (outer: Box, { x, y, width, height }: Box): boolean =>
  outer.x <= x && outer.y <= y && outer.x + outer.width >= x + width && outer.y + outer.height >= y + height

/** What is ignored is white in both. */
function pixelsOf({ width, height, slices, layer }: CapturedPage, ignored: readonly Box[]): PagePixels {
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
  for (const box of ignored) {
    const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)]
    for (let y = Math.max(0, box.y); y < Math.min(rows, box.y + box.height); y += 1)
      if (left < right) data.fill(255, (y * width + left) * 4, (y * width + right) * 4)
  }
  return { width, height: rows, flow: height, data, ignored }
}

function isSame(one: PagePixels, other: PagePixels): boolean {
  if (one.width !== other.width || one.height !== other.height || one.flow !== other.flow) return false
  return Buffer.compare(one.data, other.data) === 0
}
