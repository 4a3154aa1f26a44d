/** A picture as RGBA, 4 bytes a pixel. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** In whole pixels of a bitmap. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a block is in both pictures; null: it is not there. */
export interface BoxPair {
  readonly before: Box | null
  readonly after: Box | null
  /** Whether other blocks are in it. */
  readonly isOuter: boolean
  readonly isMoved: boolean
  /** Whether both places differ by a part of a pixel: then a browser rounds its lines, and smooths its edges, otherwise. */
  readonly isUneven: boolean
}

/** A picture of a page. Below its first `flow` rows are those that do not scroll with it, in which only blocks are compared. */
export interface PagePixels extends Bitmap {
  readonly flow: number
  /** What is not compared, such as a clock. */
  readonly ignored: readonly Box[]
}

export interface ComparedPixels {
  /** Pixels that differ, and all that were compared. What has no counterpart differs. */
  readonly changed: number
  readonly total: number
  /** Pixels that differ in each block, in the order of the pairs. */
  readonly blocks: readonly number[]
  /** Where the second page differs outside of its blocks. */
  readonly rest: readonly Box[]
  /** For each pixel of the second page, 1 where it differs. */
  readonly mask: Uint8Array
}

/** Above this distance of colours a reader may notice it: some 8 of 255 steps of grey. */
const noticed = 32
/** What a block draws around itself goes with it. */
const around = 4
/** Sizes that differ by less do so by rounding alone. */
const roundingPx = 1
/** By how much of 255 an edge may be smoothed otherwise at the same part of a pixel. */
const smoothedBy = 64
/** By how much smoothing may overshoot. */
const amongBy = 8
/** The size of the squares in which single pixels outside of blocks are gathered. */
const squarePx = 16

/** What a pixel is of that is in no block: of nothing yet, of what is not compared, of what was found equal. */
const nothing = -1
const unseen = -2
const equal = -3

/** The distance of two colours as seen, over white: brightness weighs most (Y, I and Q of NTSC). */
function distance(one: Uint8Array, at: number, other: Uint8Array, otherAt: number): number {
  const [alpha, otherAlpha] = [(one[at + 3] ?? 0) / 255, (other[otherAt + 3] ?? 0) / 255]
  const over = (value: number | undefined, alpha: number): number => 255 + ((value ?? 0) - 255) * alpha
  const red = over(one[at], alpha) - over(other[otherAt], otherAlpha)
  const green = over(one[at + 1], alpha) - over(other[otherAt + 1], otherAlpha)
  const blue = over(one[at + 2], alpha) - over(other[otherAt + 2], otherAlpha)
  const y = red * 0.299 + green * 0.587 + blue * 0.114
  const i = red * 0.596 - green * 0.274 - blue * 0.322
  const q = red * 0.211 - green * 0.523 + blue * 0.312
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
}

function clipped(box: Box | null, { width, height }: Bitmap): Box | null {
  if (box === null) return null
  const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)]
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)]
  return right <= x || bottom <= y ? null : { x, y, width: right - x, height: bottom - y }
}

const area = (box: Box | null): number => (box === null ? 0 : box.width * box.height)

/** Paints whole boxes into a plane of one value for each pixel. */
function paint(plane: Int32Array | Uint8Array, width: number, { x, y, width: wide, height }: Box, value: number): void {
  for (let row = y; row < y + height; row += 1) plane.fill(value, row * width + x, row * width + x + wide)
}

/**
 * For each row of the second page, how far above it was in the first: as the nearest edge of a block. What a page inserted
 * above has moved all below by its height.
 */
function rowOffsets(pairs: readonly BoxPair[], rows: number): Int32Array {
  const edges = pairs
    .flatMap(({ before, after, isMoved }) =>
      before === null || after === null || isMoved
        ? []
        : [
            [after.y, after.y - before.y] as const,
            [after.y + after.height, after.y + after.height - before.y - before.height] as const,
          ],
    )
    .toSorted(([one], [other]) => one - other)
  const offsets = new Int32Array(rows)
  let next = 0
  for (let row = 0; row < rows; row += 1) {
    while (
      next < edges.length - 1 &&
      Math.abs((edges[next + 1]?.[0] ?? 0) - row) <= Math.abs((edges[next]?.[0] ?? 0) - row)
    )
      next += 1
    offsets[row] = edges[next]?.[1] ?? 0
  }
  return offsets
}

/**
 * Compares two pictures of a page by what belongs together: each block with itself wherever it is, what is around blocks by
 * the rows of the nearest one. So an insertion changes nothing below it. Deterministic; linear in the number of pixels.
 */
export function comparePixels(before: PagePixels, after: PagePixels, pairs: readonly BoxPair[]): ComparedPixels {
  return new PixelComparison(before, after, pairs).compare()
}

class PixelComparison {
  readonly #before: PagePixels
  readonly #after: PagePixels
  readonly #one: Uint32Array
  readonly #other: Uint32Array
  readonly #pairs: readonly BoxPair[]
  readonly #counts: number[]
  readonly #mask: Uint8Array
  /** For each pixel of the first page, 1 in a block. */
  readonly #covered: Uint8Array
  /** For each pixel of the second page: the number of its block, or `nothing`, or `unseen`. */
  readonly #owners: Int32Array
  #changed = 0

  constructor(before: PagePixels, after: PagePixels, pairs: readonly BoxPair[]) {
    this.#before = before
    this.#after = after
    this.#one = pixelsOf(before)
    this.#other = pixelsOf(after)
    this.#pairs = pairs.map((pair) => ({
      ...pair,
      before: clipped(pair.before, before),
      after: clipped(pair.after, after),
    }))
    this.#counts = pairs.map(() => 0)
    this.#mask = new Uint8Array(after.width * after.height)
    this.#covered = new Uint8Array(before.width * before.height)
    this.#owners = new Int32Array(after.width * after.height).fill(nothing)
  }

  compare(): ComparedPixels {
    const { width, height, flow } = this.#after
    for (const [at, { before, after, isOuter }] of this.#pairs.entries()) {
      if (isOuter) continue
      if (before !== null) paint(this.#covered, this.#before.width, before, 1)
      if (after !== null) paint(this.#owners, width, after, at)
    }
    const below = { x: 0, y: flow, width, height: height - flow }
    for (let at = below.y * width; at < this.#owners.length; at += 1)
      if (this.#owners[at] === nothing) this.#owners[at] = unseen
    for (const box of this.#after.ignored) {
      const seen = clipped(box, this.#after)
      if (seen !== null) paint(this.#owners, width, seen, unseen)
    }
    for (const box of this.#before.ignored) {
      const seen = clipped(box, this.#before)
      if (seen !== null) paint(this.#covered, this.#before.width, seen, 1)
    }
    for (const at of this.#pairs.keys()) this.#block(at)
    const rest = this.#rest()
    const removed = this.#pairs.reduce(
      (sum, { before, after, isOuter }) => sum + (isOuter || after !== null ? 0 : area(before)),
      0,
    )
    let seen = 0
    for (const owner of this.#owners) if (owner !== unseen) seen += 1
    return {
      changed: this.#changed + removed,
      total: seen + removed,
      blocks: this.#counts,
      rest,
      mask: this.#mask,
    }
  }

  #mark(at: number): void {
    if (this.#mask[at] === 1) return
    this.#mask[at] = 1
    this.#changed += 1
  }

  /** Compares a block with itself, and what has no counterpart in its size. */
  #block(number: number): void {
    const { before, after, isOuter, isUneven } = this.#pairs[number] ?? {}
    if (isOuter !== false || after == null) return
    const { width: wide, height: high } = before == null ? nowhere : common(before, after)
    const shift = before == null || isUneven !== true ? noShift : this.#nudge(before, after, wide, high)
    const isSmoothed = this.#each(number, shift, (at, from) => this.#isSmoothed(at, from, isUneven === true))
    if (!isSmoothed)
      this.#each(number, shift, (at) => {
        this.#mark(at)
        this.#counts[number] = (this.#counts[number] ?? 0) + 1
        return true
      })
    if (before != null && (before.height - high > roundingPx || before.width - wide > roundingPx))
      this.#counts[number] = (this.#counts[number] ?? 0) + area(before) - wide * high
  }

  /**
   * Goes through the pixels of a block that differ as long as `found` returns true, and returns whether it always did. Those
   * without a counterpart in the first page have no place there.
   */
  #each(number: number, [left, up]: Shift, found: (at: number, from: Place | null) => boolean): boolean {
    const { before, after, isUneven } = this.#pairs[number] ?? {}
    if (after == null) return true
    const { width: wide, height: high } = before == null ? nowhere : common(before, after)
    const isLarger = (size: number, common: number): boolean => size - common > (before == null ? 0 : roundingPx)
    const newFrom = {
      x: isLarger(after.width, wide) ? wide : Infinity,
      y: isLarger(after.height, high) ? high : Infinity,
    }
    for (let row = 0; row < after.height; row += 1) {
      // Each line of a text is rounded for itself.
      const isRounded =
        before != null &&
        isUneven === true &&
        row < high &&
        [0, -1, 1].some((y) => this.#different(before, after, wide, { row, x: left, y }, 1) === 0)
      // Most rows are equal, which is found faster for all of a row.
      const isEqual = row < high && (isRounded || this.#isRowEqual(before, after, { left, up, row, wide }))
      if (isEqual && newFrom.x === Infinity) continue
      for (let column = 0; column < after.width; column += 1) {
        const at = (after.y + row) * this.#after.width + after.x + column
        if (this.#owners[at] !== number) continue
        if (before != null && row < high && column < wide) {
          const [x, y] = [before.x + column + left, before.y + row + up]
          if (!isEqual && this.#differ(x, y, at) && !found(at, { x, y })) return false
        } else if ((row >= newFrom.y || column >= newFrom.x) && !found(at, null)) return false
      }
    }
    return true
  }

  #isRowEqual(
    before: Box | null | undefined,
    after: Box,
    {
      left,
      up,
      row,
      wide,
    }: { readonly left: number; readonly up: number; readonly row: number; readonly wide: number },
  ): boolean {
    const { width, height } = this.#before
    const [x, y] = before == null ? [-1, -1] : [before.x + left, before.y + row + up]
    if (x < 0 || y < 0 || y >= height || x + wide > width) return false
    const [from, to] = [y * width + x, (after.y + row) * this.#after.width + after.x]
    return areEqual(this.#one.subarray(from, from + wide), this.#other.subarray(to, to + wide))
  }

  /**
   * Whether two pixels that differ may show the same edge, smoothed at another part of a pixel: each is between those around
   * the other. Chromium smooths drawings otherwise at another height of the page, by a little.
   */
  #isSmoothed(at: number, from: Place | null, isUneven: boolean): boolean {
    if (from === null) return false
    const [one, other] = [this.#before, this.#after]
    const was = (from.y * one.width + from.x) * 4
    const isNear = (colour: number): boolean =>
      Math.abs((one.data[was + colour] ?? 0) - (other.data[at * 4 + colour] ?? 0)) <= smoothedBy
    return (
      (isUneven || (isNear(0) && isNear(1) && isNear(2))) &&
      isAmong(one, from, other.data, at * 4) &&
      isAmong(other, { x: at % other.width, y: Math.floor(at / other.width) }, one.data, was)
    )
  }

  /** Whether a pixel of the second page differs from one of the first, which is equal where there is none. */
  #differ(x: number, y: number, at: number): boolean {
    const { width, height, data } = this.#before
    if (x < 0 || y < 0 || x >= width || y >= height) return false
    const from = y * width + x
    return this.#one[from] !== this.#other[at] && distance(data, from * 4, this.#after.data, at * 4) > noticed
  }

  /** By which pixel its place was rounded elsewhere: where most of the block is equal. */
  #nudge(before: Box, after: Box, wide: number, high: number): Shift {
    const different = (x: number, y: number, atMost: number): number => {
      let count = 0
      for (let row = 0; row < high && count < atMost; row += 1)
        count += this.#different(before, after, wide, { row, x, y }, atMost - count)
      return count
    }
    let [best, least] = [noShift, different(0, 0, Infinity)]
    for (const [x, y] of [
      [0, -1],
      [0, 1],
      [-1, 0],
      [1, 0],
    ] as const) {
      if (least === 0) break
      const count = different(x, y, least)
      if (count < least) [best, least] = [[x, y], count]
    }
    return best
  }

  /** How many pixels of a row are not the same in both pages, up to `atMost`. */
  #different(
    before: Box,
    after: Box,
    wide: number,
    { row, x, y }: { readonly row: number; readonly x: number; readonly y: number },
    atMost: number,
  ): number {
    const { width, height } = this.#before
    const fromY = before.y + row + y
    if (fromY < 0 || fromY >= height) return 0
    const from = fromY * width + before.x + x
    const to = (after.y + row) * this.#after.width + after.x
    const [start, end] = [Math.max(0, -before.x - x), Math.min(wide, width - before.x - x)]
    let count = 0
    for (let column = start; column < end && count < atMost; column += 1)
      if (this.#one[from + column] !== this.#other[to + column]) count += 1
    return count
  }

  /** Compares what is in no block of either page, and gathers where it differs. */
  #rest(): readonly Box[] {
    const { width, flow } = this.#after
    const offsets = rowOffsets(this.#pairs, flow)
    this.#around()
    const squares = new Squares(width)
    for (let y = 0; y < flow; y += 1) {
      const fromY = y - (offsets[y] ?? 0)
      if (fromY < 0 || fromY >= this.#before.flow) continue
      const wide = Math.min(width, this.#before.width)
      const from = fromY * this.#before.width
      if (areEqual(this.#one.subarray(from, from + wide), this.#other.subarray(y * width, y * width + wide))) continue
      for (let x = 0; x < wide; x += 1) {
        const at = y * width + x
        if (this.#owners[at] !== nothing || this.#covered[fromY * this.#before.width + x] === 1) continue
        if ([0, -1, 1].some((y) => !this.#differ(x, fromY + y, at))) continue
        this.#mark(at)
        squares.add(x, y)
      }
    }
    return squares.boxes()
  }

  /** Compares what blocks draw around themselves: where it is as it was around them, it is not compared by rows. */
  #around(): void {
    const { width, flow } = this.#after
    for (const { before, after, isOuter } of this.#pairs) {
      if (isOuter || before === null || after === null) continue
      const [x, y] = [Math.max(0, after.x - around), Math.max(0, after.y - around)]
      const [right, bottom] = [after.x + after.width, after.y + after.height]
      for (let row = y; row < Math.min(flow, bottom + around); row += 1)
        for (let column = x; column < Math.min(width, right + around); column += 1) {
          const isInside = row >= after.y && row < bottom && column >= after.x && column < right
          if (isInside) column = right
          const at = row * width + column
          if (column >= width || this.#owners[at] !== nothing) continue
          // From the nearer edge, since the block may have another size.
          const fromX = column < right ? column - after.x + before.x : column - right + before.x + before.width
          const fromY = row < bottom ? row - after.y + before.y : row - bottom + before.y + before.height
          const isThere = fromX >= 0 && fromY >= 0 && fromX < this.#before.width && fromY < this.#before.flow
          if (isThere && this.#covered[fromY * this.#before.width + fromX] === 0 && !this.#differ(fromX, fromY, at))
            this.#owners[at] = equal
        }
    }
  }
}

type Shift = readonly [x: number, y: number]
const noShift: Shift = [0, 0]
interface Place {
  readonly x: number
  readonly y: number
}

const nowhere = { width: 0, height: 0 }
const common = (one: Box, other: Box) => ({
  width: Math.min(one.width, other.width),
  height: Math.min(one.height, other.height),
})

/** Whether each colour of a pixel is between the least and the most of those around a place, or nearly. */
function isAmong({ width, height, data }: Bitmap, { x, y }: Place, pixel: Uint8Array, at: number): boolean {
  for (let colour = 0; colour < 3; colour += 1) {
    let [least, most] = [255, 0]
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1)
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
        const value = data[(row * width + column) * 4 + colour] ?? 0
        least = Math.min(least, value)
        most = Math.max(most, value)
      }
    const value = pixel[at + colour] ?? 0
    if (value < least - amongBy || value > most + amongBy) return false
  }
  return true
}

function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}

/**
 * Compares two pictures pixel by pixel from their upper left corner. What only one of them has differs.
 *
 * @returns The size of what both cover together, with 1 for each pixel that differs
 */
export function compareBitmaps(
  one: Bitmap,
  other: Bitmap,
): { readonly width: number; readonly height: number; readonly changed: number; readonly mask: Uint8Array } {
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)]
  const [pixels, otherPixels] = [pixelsOf(one), pixelsOf(other)]
  const mask = new Uint8Array(width * height)
  let changed = 0
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const isIn = ({ width: wide, height: high }: Bitmap): boolean => x < wide && y < high
      if (!isIn(one) && !isIn(other)) continue
      const [at, otherAt] = [y * one.width + x, y * other.width + x]
      if (isIn(one) && isIn(other)) {
        if (pixels[at] === otherPixels[otherAt]) continue
        if (distance(one.data, at * 4, other.data, otherAt * 4) <= noticed) continue
      }
      mask[y * width + x] = 1
      changed += 1
    }
  return { width, height, changed, mask }
}

function pixelsOf({ data, width, height }: Bitmap): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, width * height)
}

/** Gathers pixels that are near each other in boxes. */
class Squares {
  readonly #columns: number
  readonly #found = new Map<number, Box>()

  constructor(width: number) {
    this.#columns = Math.ceil(width / squarePx) + 1
  }

  add(x: number, y: number): void {
    const key = Math.floor(y / squarePx) * this.#columns + Math.floor(x / squarePx)
    const known = this.#found.get(key)
    this.#found.set(
      key,
      known === undefined ? { x, y, width: 1, height: 1 } : joined(known, { x, y, width: 1, height: 1 }),
    )
  }

  boxes(): readonly Box[] {
    const boxes: Box[] = []
    const left = new Map(this.#found)
    for (const start of this.#found.keys()) {
      let box: Box | null = null
      const waiting = [start]
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        const one = left.get(key)
        if (one === undefined) continue
        left.delete(key)
        box = box === null ? one : joined(box, one)
        for (const row of [-this.#columns, 0, this.#columns]) waiting.push(key + row - 1, key + row, key + row + 1)
      }
      if (box !== null) boxes.push(box)
    }
    return boxes
  }
}

function joined(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  const right = Math.max(one.x + one.width, other.x + other.width)
  const bottom = Math.max(one.y + one.height, other.y + other.height)
  return { x, y, width: right - x, height: bottom - y }
}
