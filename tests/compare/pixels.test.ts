import { expect, test } from 'vitest'

import type { Box, BoxPair } from '../../packages/compare/index.ts'
import { bandsOf, compareBitmaps, comparePixels } from '../../packages/compare/index.ts'

const width = 200
type Colour = readonly [number, number, number]
interface Drawn {
  readonly box: Box
  readonly colour: Colour
}

const box = (x: number, y: number, wide: number, height: number): Box => ({ x, y, width: wide, height })

/** A white picture with stripes in each box, so that a shift of one row is seen. */
function picture(height: number, drawn: readonly Drawn[], flow = height) {
  const data = new Uint8Array(width * height * 4).fill(255)
  for (const { box, colour } of drawn)
    for (let y = box.y; y < box.y + box.height; y += 1)
      for (let x = box.x; x < box.x + box.width; x += 1) if ((y - box.y) % 4 < 2) data.set(colour, (y * width + x) * 4)
  return { width, height, flow, data, ignored: [] as Box[] }
}

const pair = (before: Box | null, after: Box | null, isUneven = false): BoxPair => ({
  before,
  after,
  isOuter: false,
  isMoved: false,
  isUneven,
})
const ink: Colour = [20, 20, 20]
const red: Colour = [200, 0, 0]

test('an insertion changes nothing below it, and counts whole', () => {
  const [first, second] = [box(20, 20, 100, 20), box(20, 60, 100, 20)]
  const [added, moved] = [box(20, 60, 100, 30), box(20, 100, 100, 20)]
  const before = picture(
    100,
    [first, second].map((box) => ({ box, colour: ink })),
  )
  const after = picture(
    140,
    [first, added, moved].map((box) => ({ box, colour: ink })),
  )
  const compared = comparePixels(before, after, [pair(first, first), pair(null, added), pair(second, moved)])
  expect(compared.blocks).toEqual([0, 100 * 30, 0])
  expect(compared.rest).toEqual([])
  expect([compared.changed, compared.total]).toEqual([3000, width * 140])
  expect(compared.mask.reduce((sum, value) => sum + value, 0)).toBe(3000)
})

test('columns, moved blocks and removed ones are compared by themselves', () => {
  const left = box(0, 0, 90, 20)
  const right = box(110, 30, 90, 20)
  const gone = box(0, 50, 90, 20)
  const before = picture(
    100,
    [left, right, gone].map((box) => ({ box, colour: ink })),
  )
  const lower = box(0, 60, 90, 20)
  const after = picture(
    100,
    [lower, right].map((box) => ({ box, colour: ink })),
  )
  const compared = comparePixels(before, after, [pair(left, lower), pair(right, right), pair(gone, null)])
  expect([compared.blocks, compared.changed, compared.total]).toEqual([[0, 0, 0], 90 * 20, width * 100 + 90 * 20])
})

test('another colour is found in its block, and outside of blocks in a box of its own', () => {
  const [text, line] = [box(20, 20, 100, 20), box(0, 70, 200, 2)]
  const before = picture(100, [
    { box: text, colour: ink },
    { box: line, colour: ink },
  ])
  const after = picture(100, [
    { box: text, colour: red },
    { box: line, colour: red },
  ])
  const compared = comparePixels(before, after, [pair(text, text)])
  expect([compared.blocks, compared.rest, compared.changed]).toEqual([[1000], [line], 1400])
})

test('what is rounded to another pixel is equal, line by line', () => {
  const [one, two] = [box(20, 20, 100, 4), box(20, 30, 100, 4)]
  const before = picture(
    60,
    [one, two].map((box) => ({ box, colour: ink })),
  )
  const after = picture(
    60,
    [one, { ...two, y: 31 }].map((box) => ({ box, colour: ink })),
  )
  const whole = box(20, 20, 100, 16)
  expect(comparePixels(before, after, [pair(whole, whole, true)]).changed).toBe(0)
  expect(comparePixels(before, after, [pair(whole, whole)]).changed).toBeGreaterThan(0)
})

test('an edge that is smoothed at another part of a pixel is equal, another colour is not', () => {
  const place = box(20, 20, 100, 20)
  /** A black rectangle whose upper edge covers a part of its row. */
  const drawn = (covered: number, colour: number) => {
    const drawn = picture(60, [])
    for (let y = 25; y < 35; y += 1)
      for (let x = 30; x < 90; x += 1)
        drawn.data.fill(
          y === 25 ? 255 - covered * (255 - colour) : colour,
          (y * width + x) * 4,
          (y * width + x) * 4 + 3,
        )
    return drawn
  }
  const changed = (colour: number, isUneven: boolean): number =>
    comparePixels(drawn(0.2, 0), drawn(0.7, colour), [pair(place, place, isUneven)]).changed
  expect([changed(0, true), changed(0, false)]).toEqual([0, 60])
  expect(comparePixels(drawn(0.2, 0), drawn(0.4, 0), [pair(place, place)]).changed).toBe(0)
  expect(changed(90, true)).toBe(600)
})

test('a faint colour is not noticed; ignored places and what does not scroll are not compared', () => {
  const text = box(20, 20, 100, 20)
  const before = picture(140, [{ box: text, colour: ink }], 100)
  const faint = picture(140, [{ box: text, colour: [22, 22, 22] }], 100)
  expect(comparePixels(before, faint, [pair(text, text)]).changed).toBe(0)
  const clock = {
    ...picture(
      140,
      [
        { box: text, colour: red },
        { box: box(0, 110, 40, 20), colour: red },
      ],
      100,
    ),
    ignored: [text],
  }
  const compared = comparePixels(before, clock, [pair(text, text)])
  expect([compared.changed, compared.total]).toEqual([0, width * 100 - 2000])
})

test('both pages are cut where they move apart', () => {
  const pairs = [pair(box(0, 10, 50, 10), box(0, 10, 50, 10)), pair(box(0, 40, 50, 10), box(0, 90, 50, 10))]
  expect(bandsOf(pairs, 100, 150)).toEqual([
    { before: { top: 0, height: 40 }, after: { top: 0, height: 90 } },
    { before: { top: 40, height: 60 }, after: { top: 90, height: 60 } },
  ])
})

test('two pictures are compared from their upper left corner', () => {
  const grey = (width: number, height: number, values: readonly number[]) => ({
    width,
    height,
    data: Uint8Array.from(values.flatMap((value) => [value, value, value, 255])),
  })
  const one = grey(2, 2, [0, 90, 90, 90])
  expect(compareBitmaps(one, one)).toMatchObject({ width: 2, height: 2, changed: 0 })
  // A difference below the threshold, one above it, and a new column. Places outside both pictures are equal.
  const other = grey(3, 1, [200, 91, 90])
  const { width, height, changed, mask } = compareBitmaps(one, other)
  expect([width, height, changed, [...mask]]).toEqual([3, 2, 4, [1, 0, 1, 1, 1, 0]])
})
