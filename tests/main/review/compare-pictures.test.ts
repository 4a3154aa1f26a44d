import { expect, test } from 'vitest'

import type { BlockPair, Box } from '../../../packages/compare/index.ts'
import type { CapturedPage } from '../../../src/main/review/compare-pictures.ts'
import { comparePictures } from '../../../src/main/review/compare-pictures.ts'
import { decodePng, encodeWhole } from '../../../src/main/review/png.ts'
import { png } from '../../support/chromium-png.ts'
import type { Colour } from '../../support/chromium-png.ts'

const white: Colour = [255, 255, 255]
const [red, blue]: readonly Colour[] = [
  [200, 0, 0],
  [0, 0, 200],
]

const width = 40
/** A page with a clock of some colour and height, and a line below it. */
function captured(clock: Colour, height: number, line: Colour, ignored: readonly Box[]): CapturedPage {
  const rows = Array.from({ length: 60 }, (_, y) =>
    Array.from({ length: width }, () => (y >= 10 && y < 10 + height ? clock : y >= 40 && y < 45 ? line : white)),
  )
  const box = (y: number, height: number): Box => ({ x: 0, y, width, height })
  const slices = [{ top: 0, png: png(width, rows) }]
  return { width, height: 60, slices, layer: null, isCut: false, boxes: [box(10, height), box(40, 5), ...ignored] }
}

const pair = (at: number): BlockPair => ({
  before: { path: [1, at], run: null },
  after: { path: [1, at], run: null },
  kind: 'paragraph',
  text: `block ${at}`,
  isOuter: false,
  isMoved: false,
})
const compare = (before: CapturedPage, after: CapturedPage) =>
  comparePictures({ before, after, pairs: [pair(0), pair(1)], changes: [] })

test('what is ignored does not count, wherever it is in both pages', async () => {
  const clock = (height: number): readonly Box[] => [{ x: 0, y: 10, width, height }]
  const before = captured(red ?? white, 10, red ?? white, clock(10))
  const same = await compare(before, captured(blue ?? white, 10, red ?? white, clock(10)))
  expect(same).toMatchObject({ isEqual: true, changed: 0, looks: [] })
  const larger = await compare(before, captured(blue ?? white, 14, red ?? white, clock(14)))
  expect(larger).toMatchObject({ changed: 0, looks: [] })
  const below = await compare(before, captured(blue ?? white, 10, blue ?? white, clock(10)))
  expect([below.isEqual, below.changed, below.looks.map(({ after }) => after)]).toEqual([false, 5 * width, ['block 1']])
  const told = await compare(
    captured(red ?? white, 10, red ?? white, []),
    captured(blue ?? white, 10, red ?? white, []),
  )
  expect(told.looks.map(({ after }) => after)).toEqual(['block 0'])
})

test('what only a part of is in a picture is not compared', async () => {
  const line = red ?? white
  const before = captured(white, 10, line, [])
  // A block begins in the picture and ends below it; in the other page, all of it is below.
  const cut = (top: number): CapturedPage => ({
    ...captured(white, 10, line, []),
    isCut: true,
    boxes: [
      { x: 0, y: 10, width, height: 10 },
      { x: 0, y: top, width, height: 40 },
    ],
  })
  const told = await compare(cut(40), cut(70))
  expect([told.changed, told.looks]).toEqual([0, []])
  expect((await compare(before, cut(40))).changed).toBe(0)
  const pairs = [pair(0), { ...pair(1), isOuter: true }]
  const page = {
    ...cut(0),
    boxes: [
      { x: 0, y: 10, width, height: 10 },
      { x: 0, y: 0, width, height: 90 },
    ],
  }
  const other = { ...page, slices: captured(blue ?? white, 10, line, []).slices }
  const looks = async (changes: typeof pairs) =>
    (await comparePictures({ before: page, after: other, pairs: changes, changes: [] })).looks.map(({ after }) => after)
  expect(await looks(pairs)).toEqual(['block 0'])
})

test('slices become one picture, or none if they are of another page', async () => {
  const slice = (colour: Colour, height: number): Uint8Array =>
    png(
      3,
      Array.from({ length: height }, () => [colour, white, colour]),
    )
  const slices = [slice(red ?? white, 5), slice(blue ?? white, 2)]
  const made = await encodeWhole({ width: 3, height: 7, slices, isCut: false })
  const picture = decodePng(made ?? new Uint8Array())
  expect([picture.width, picture.height]).toEqual([3, 7])
  expect([...picture.data.subarray(4 * 12, 4 * 12 + 8)]).toEqual([200, 0, 0, 255, 255, 255, 255, 255])
  expect([...picture.data.subarray(5 * 12, 5 * 12 + 4)]).toEqual([0, 0, 200, 255])
  expect(await encodeWhole({ width: 3, height: 8, slices, isCut: false })).toBeNull()
  expect(await encodeWhole({ width: 4, height: 7, slices, isCut: false })).toBeNull()
})
