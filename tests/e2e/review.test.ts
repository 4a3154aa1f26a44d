import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { aPicture, headings, libraryOf, openReview, pagesUnderReview } from './support/review.ts'

/** A story that is taller than any window. */
const story = (heading: string, price: string): string =>
  `<article><h1>${heading}</h1><p>The market opens at nine.</p><p>A crate of herring is ${price}.</p>
  <img src="dummy-hero.png" alt=""><div style="height:5000px">The quay.</div></article>`

/** Turns the wheel over the page that begins with this heading, in pixels. */
async function wheel(app: ElectronApplication, heading: string, pixels: number): Promise<void> {
  const page = (await pagesUnderReview(app)()).find(({ text }) => text.startsWith(heading))
  await app.evaluate(
    ({ webContents }, { id, deltaY }) => {
      const over = webContents.fromId(id)
      over?.sendInputEvent({ type: 'mouseMove', x: 200, y: 200 })
      over?.sendInputEvent({ type: 'mouseWheel', x: 200, y: 200, deltaX: 0, deltaY, canScroll: true })
    },
    { id: page?.id ?? 0, deltaY: -pixels },
  )
}

test('a version opens offline, as it was stored; keys walk, narrow and compare', { timeout: 90_000 }, async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const font = await readFile(new URL('../../resources/demo/inter-latin.woff2', import.meta.url))
  const fonts = { files: { 'inter.woff2': font }, css: '@font-face{font-family:Press;src:url(dummy-inter.woff2)}' }
  const fontsCss = `http://127.0.0.1:${port}/fonts/press/current.css`
  const styled = `<link rel="stylesheet" href="${fontsCss}"><style>h1 { font-family: Press }</style>`
  const { environment, versions } = await libraryOf(
    library,
    port,
    {
      story: [
        {
          html: `<style>h1 { font-family: Press }</style>${story('First', '9 marks')}`,
          files: { 'hero.png': aPicture },
        },
        { html: styled + story('Second', '11 marks'), files: { 'hero.png': aPicture } },
        { html: story('Third', '12 marks'), files: { 'hero.png': aPicture } },
      ],
    },
    fonts,
  )
  const [, second = '', third = ''] = versions['story'] ?? []
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const frame = await openReview(app, page, { materialId: 'story', versionId: third })
  const shown = pagesUnderReview(app)

  await expect.poll(() => headings(shown)).toStrictEqual(['Third'])
  expect((await shown())[0]).toMatchObject({ width: 1280, pictures: [1], fonts: [] })
  await expect.poll(() => frame.title()).toBe('First · Galley')
  await frame.getByRole('region', { name: third }).getByText('anna@press.example', { exact: true }).waitFor()
  await expectAccessible(frame, 'one page', goodPractice)

  // Goes to older and newer versions, up to the ends.
  await frame.keyboard.press('ArrowLeft')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  // Of two style sheets that bring the family, the browser loads one face or both, as they arrive.
  await expect
    .poll(async () => [...new Set((await shown())[0]?.fonts)], { message: 'the fonts of the site' })
    .toStrictEqual(['Press'])
  await frame.keyboard.press('ArrowLeft')
  await frame.keyboard.press('ArrowLeft')
  await expect.poll(() => headings(shown)).toStrictEqual(['First'])
  await expect
    .poll(async () => (await shown())[0]?.fonts, {
      message: 'the fonts of the site on a page that links no style sheet',
    })
    .toStrictEqual(['Press'])
  await frame.keyboard.press('ArrowRight')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  await frame.locator('code').getByText(second).waitFor()

  // The page uses the layout for the chosen width, even if there is less room.
  for (const [key, width] of [
    ['1', 390],
    ['2', 820],
    ['3', 1280],
  ] as const) {
    await frame.keyboard.press(key)
    await expect.poll(async () => (await shown())[0]?.width).toBe(width)
  }

  // Two pages side by side, the older one on the left, scaled to the available width.
  await frame.keyboard.press('c')
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Second'])
  await expect
    .poll(async () => (await shown()).map(({ width }) => Math.abs(width - 1280) < 3))
    .toStrictEqual([true, true])
  expect((await shown()).map(({ height }) => height > 900)).toStrictEqual([true, true])
  await frame.getByRole('tab', { name: 'Pages' }).waitFor()
  await expectAccessible(frame, 'two pages', goodPractice)
  const heights = async () => (await shown()).map(({ y }) => Math.round(y))
  /** The scroll positions of both pages at rest; they may differ by half a pixel. */
  const scrolledTo = async (wanted: (y: number) => boolean): Promise<number> => {
    let last: readonly number[] = []
    await expect
      .poll(async () => {
        const now = await heights()
        const [left = 0, right = 0] = now
        const isStill = now.join() === last.join()
        last = now
        return isStill && Math.abs(left - right) <= 1 && wanted(left) ? 'together' : `at ${now.join(' and ')}`
      })
      .toBe('together')
    return last[0] ?? 0
  }
  await wheel(app, 'Second', 700)
  const low = await scrolledTo((y) => y > 600)
  await wheel(app, 'First', -300)
  await scrolledTo((y) => y < low - 200)
  await frame.keyboard.press('s')
  const before = (await heights())[1] ?? 0
  await wheel(app, 'First', 900)
  await expect.poll(async () => ((await heights())[0] ?? 0) > before + 300).toBe(true)
  expect((await heights())[1]).toBe(before)
  await frame.keyboard.press('s')
  await scrolledTo((y) => y > before)

  // Shortcuts work while a page has the keyboard, and F6 moves there and back.
  await frame.keyboard.press('F6')
  const focusedUrl = () =>
    app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().split(':')[0] ?? '')
  await expect.poll(focusedUrl).toBe('galley-review')
  const pressInPage = (keyCode: string) =>
    app.evaluate(({ webContents }, keyCode) => {
      const contents = webContents
        .getAllWebContents()
        .find((each) => !each.isOffscreen() && each.getURL().startsWith('galley-review:'))
      contents?.sendInputEvent({ type: 'keyDown', keyCode })
      contents?.sendInputEvent({ type: 'keyUp', keyCode })
    }, keyCode)
  await pressInPage('Right')
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Third'])
  // Custom shortcuts replace the defaults, in the frame and in its pages alike.
  const setKeys = (shortcuts: Record<string, string>) =>
    page.evaluate((shortcuts) => window.galley.call('changeSettings', { shortcuts }), shortcuts)
  await setKeys({ 'review.older': 'Z', 'review.newer': 'Mod+Shift+X' })
  await frame.getByTitle('Older version (Z)').waitFor()
  await pressInPage('Z')
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Second'])
  // The shortcut sheet replaces the pages, and they get neither shortcuts nor the keyboard.
  await pressInPage('?')
  const sheet = frame.getByRole('region', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Older version').locator('..').getByText('Z', { exact: true }).waitFor()
  await expect.poll(focusedUrl, { message: 'the keyboard' }).toBe('app')
  await expectAccessible(frame, 'keys', goodPractice)
  await frame.keyboard.press('z')
  await frame.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await frame.keyboard.press('?')
  await sheet.waitFor()
  await frame.keyboard.press('?')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Second'])
  await frame.keyboard.press('F6')
  await expect.poll(focusedUrl).toBe('galley-review')
  await pressInPage('F6')
  await expect.poll(focusedUrl).toBe('app')
  await frame.keyboard.press('ArrowRight')
  await frame.keyboard.press('Control+Shift+X')
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Third'])
  await setKeys({})
  await frame.getByTitle('Older version (←)').waitFor()
  await frame.keyboard.press('Escape')
  await expect.poll(() => headings(shown)).toStrictEqual(['Third'])

  const closed = frame.waitForEvent('close')
  // The window is closed before the key is released.
  await frame.keyboard.press('Control+w').catch(() => null)
  await closed
  await expect.poll(async () => (await shown()).length).toBe(0)
  await expectListener(page, 'Listening')
  await close()
})

test(
  'fast steps through versions end at the last one chosen; a single version has nothing to compare with',
  { timeout: 60_000 },
  async () => {
    const port = await aFreePort()
    const library = join(await aFolder(), 'library')
    const drafts = Array.from({ length: 6 }, (_, at) => ({ html: story(`Draft ${at}`, '9 marks') }))
    const { environment, versions } = await libraryOf(library, port, {
      story: drafts,
      alone: [{ html: '<h1>Alone</h1>' }],
    })
    const { app, page, close } = await startApp({ library, port, environment })
    const frame = await openReview(app, page, { materialId: 'story', versionId: versions['story']?.at(-1) ?? '' })
    const shown = pagesUnderReview(app)
    await expect.poll(() => headings(shown)).toStrictEqual(['Draft 5'])
    // Each page replaces one that is still loading, in one view and in two.
    for (const _round of [1, 2, 3]) {
      for (const _draft of drafts) await frame.keyboard.press('ArrowLeft')
      await frame.keyboard.press('c')
      for (const _draft of drafts) await frame.keyboard.press('ArrowRight')
      await expect.poll(() => headings(shown)).toStrictEqual(['Draft 1', 'Draft 5'])
      await frame.keyboard.press('Escape')
      await expect.poll(() => headings(shown)).toStrictEqual(['Draft 5'])
    }
    const alone = await openReview(app, page, { materialId: 'alone', versionId: versions['alone']?.[0] ?? '' })
    await alone.getByRole('heading', { level: 1 }).waitFor()
    await alone.keyboard.press('c')
    await alone.getByRole('status').getByText('This material has only one version.').waitFor()
    await close()
  },
)
