import { expect, test } from 'vitest'

import type { BlockPlace } from '../../../packages/compare/index.ts'
import type { Capture, CapturedPage } from '../../../src/main/review/compare-pictures.ts'
import { createComparisons } from '../../../src/main/review/comparisons.ts'
import { createIgnored } from '../../../src/main/review/ignored.ts'
import { createPagePictures } from '../../../src/main/review/page-pictures.ts'
import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import { png } from '../../support/chromium-png.ts'
import type { Colour } from '../../support/chromium-png.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

const pair = { site: 'acme', materialId: 'post-1', before: 'v1', after: 'v2', inTheme: false }
const [white, red]: readonly [Colour, Colour] = [
  [255, 255, 255],
  [200, 0, 0],
]
/** A screen of 20 rows in which a line has a colour. */
const screen = (colour: Colour): Uint8Array =>
  png(
    10,
    Array.from({ length: 20 }, (_, y) => Array.from({ length: 10 }, () => (y >= 5 && y < 10 ? colour : white))),
  )
/** Two screens with a paragraph in each, and a third one below. */
const captured = (colour: Colour, places: readonly BlockPlace[]): CapturedPage => ({
  width: 10,
  height: 40,
  slices: [
    { top: 0, png: screen(colour) },
    { top: 20, png: screen(colour) },
  ],
  layer: null,
  boxes: places.map(({ path: [, paragraph] }) => {
    const [y, height] =
      paragraph === undefined
        ? [0, 40]
        : ([
            [5, 5],
            [25, 5],
            [35, 5],
          ][paragraph] ?? [0, 0])
    return { x: 0, y: y ?? 0, width: 10, height: height ?? 0 }
  }),
  isCut: false,
})
const topOf = (page: CapturedPage): CapturedPage => ({
  ...page,
  height: 20,
  slices: page.slices.slice(0, 1),
  isCut: true,
})

/** A pair of versions whose captures end when they are told to. */
async function aPair() {
  const { galley, service, post } = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  const { index, background, reviewing } = galley
  for (const versionId of ['v1', 'v2']) {
    const html = `<style>p { color: ${versionId === 'v1' ? 'black' : 'red'} }</style><p>First</p><p>Second</p><p>Third</p>`
    const { body, headers } = aSave(service, { versionId, html, files: {} })
    expect((await post(body, headers)).json.rc).toBe(1)
  }
  const end = Promise.withResolvers<void>()
  let captures = 0
  const at: Capture['at'] = async (_width, places, progress) => {
    const page = (captures += 1) % 2 === 1 ? captured(white, places) : captured(red, places)
    progress?.onFirst(topOf(page))
    await end.promise
    if (progress?.isWanted() === false) throw new Error('Not wanted')
    return page
  }
  const pictures = createPagePictures({
    index,
    pages: createVersionPages(index, galley.vault, background),
    reviewing,
    compare: createComparisons(reviewing),
    ignored: createIgnored({ index, reviewing, background }),
    wholePages: { keep: () => Promise.resolve() },
    background,
    capture: (_page, use) => use({ at }),
    log: () => undefined,
  })
  return { pictures, end: end.resolve, captures: () => captures }
}

test('the first screen is told before the rest is captured', async () => {
  const { pictures, end, captures } = await aPair()
  const told: string[][] = []
  const first = Promise.withResolvers<void>()
  const looks = pictures.looks(
    pair,
    () => true,
    (found) => {
      told.push(found.map(({ after }) => after ?? ''))
      first.resolve()
    },
  )
  await first.promise
  expect(told).toEqual([['First']])
  // Pictures of the same pair and width are those that are being made.
  const screens = await pictures.at(pair, { width: 1280, isFirst: true }, () => true)
  if (!screens.ok) throw new Error(screens.failure.code)
  expect([screens.value.isWhole, screens.value.after.height, captures()]).toEqual([false, 20, 2])
  const url = screens.value.after.slices[0]?.url ?? ''
  expect((await pictures.answer(url, 'GET'))?.status).toBe(200)
  const whole = pictures.at(pair, { width: 1280, isFirst: false }, () => true)
  end()
  const made = await whole
  expect(made.ok && [made.value.isWhole, made.value.after.height]).toEqual([true, 40])
  expect((await looks).map(({ after }) => after)).toEqual(['First', 'Second'])
  expect(told.at(-1)).toEqual(['First', 'Second'])
})

test('pictures that nobody wants are not captured to their end, unless somebody else does', async () => {
  const { pictures, end, captures } = await aPair()
  let isShown = true
  const first = Promise.withResolvers<void>()
  const looks = pictures.looks(
    pair,
    () => isShown,
    () => first.resolve(),
  )
  await first.promise
  isShown = false
  end()
  expect(await looks).toEqual([])
  expect(captures()).toBe(2)
  const again = await pictures.at(pair, { width: 1280, isFirst: false }, () => true)
  expect([again.ok, captures()]).toEqual([true, 4])

  const { pictures: others, end: endOthers, captures: ofOthers } = await aPair()
  const seen = Promise.withResolvers<void>()
  let isRead = true
  void others.looks(
    pair,
    () => isRead,
    () => seen.resolve(),
  )
  await seen.promise
  const whole = others.at(pair, { width: 1280, isFirst: false }, () => true)
  isRead = false
  endOthers()
  expect([(await whole).ok, ofOthers()]).toEqual([true, 2])
})
