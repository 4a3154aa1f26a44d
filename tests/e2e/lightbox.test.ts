import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { encodeMask } from '../../src/main/review/png.ts'
import { aFolder } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { activeSvg, aCanary } from './support/canary.ts'
import { keepPicture, openDesk, startDesk } from './support/desk.ts'
import { films } from './support/films.ts'
import { storyPictures } from './support/story-pictures.ts'

/** A transparent picture with a square in it. */
function square(width: number, height: number, side: number): Buffer {
  const plane = new Uint8Array(width * height)
  for (let y = 0; y < side; y += 1) plane.fill(1, y * width, y * width + side)
  return Buffer.from(encodeMask(plane, width, height))
}

const page = (alt: string): string =>
  `<article><h1>Boats</h1><p>All about boats and the weather by the sea.</p><img src="dummy-lead.svg" alt="${alt}"><h2>Maps</h2><img src="dummy-map.png" alt=""><div style="background: url(dummy-back.png); padding: 20px"><p>A box with a picture behind it.</p></div><video src="dummy-film.webm"></video><video src="dummy-broken.webm"></video></article>`

const story = [
  {
    html: page('A lighthouse'),
    files: {
      'lead.svg': Buffer.from(storyPictures.lighthouse),
      'map.png': square(60, 40, 0),
      'back.png': square(30, 30, 5),
      'film.webm': films.blue,
      'broken.webm': films.blue,
    },
  },
  {
    html: page('Nets on poles'),
    files: {
      'lead.svg': Buffer.from(storyPictures.nets),
      'map.png': square(80, 40, 10),
      'back.png': square(30, 30, 9),
      'film.webm': films.brown,
      'broken.webm': Buffer.from('no film at all'),
    },
  },
]

const facts = async (desk: Page): Promise<readonly (readonly string[])[]> =>
  desk
    .getByRole('dialog')
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)))

const changesOf = (desk: Page) => desk.getByRole('tabpanel', { name: /^Changes/ }).locator('ol button')

/** Whether all pictures in the dialog are decoded. */
const areDecoded = (desk: Page): Promise<boolean> =>
  desk
    .getByRole('dialog')
    .locator('img')
    .evaluateAll((all) => all.length > 0 && all.every((each) => (each as HTMLImageElement).naturalWidth > 0))

test('replaced pictures and films are compared in the lightbox, with the keys of the desk', async () => {
  const { app, page: desk, close } = await startDesk({ story })
  await openDesk(desk)
  const lines = changesOf(desk).filter({ hasNotText: 'looks different' })
  const said = async () => (await lines.allInnerTexts()).map((text) => text.split('\n')[1])
  await expect
    .poll(said)
    .toEqual([
      'Picture replaced',
      'Alternative text edited',
      'Picture replaced',
      'Background picture replaced',
      'Video replaced',
      'Video replaced',
    ])
  await keepPicture(app, 'lightbox-list')
  const dialog = desk.getByRole('dialog')

  // A drawing without a size of its own, side by side at first.
  await lines.nth(0).click()
  await dialog.getByRole('region', { name: 'Now' }).waitFor()
  expect(await dialog.getByRole('radio').count()).toBe(5)
  await expect.poll(() => facts(desk)).toContainEqual(['Alternative text', 'A lighthouse', 'Nets on poles'])
  expect(await areDecoded(desk)).toBe(true)
  await expectAccessible(desk, 'two pictures side by side')
  await keepPicture(app, 'lightbox-both')
  for (const [key, mode] of [
    ['3', 'swipe'],
    ['4', 'onion'],
    ['5', 'difference'],
  ] as const) {
    await desk.keyboard.press(key)
    await dialog.locator(`[data-layers=${mode}]`).waitFor()
    expect(await dialog.getByRole('radio', { checked: true }).getAttribute('aria-keyshortcuts')).toBe(key)
    await keepPicture(app, `lightbox-${mode}`)
  }
  await expectAccessible(desk, 'the difference of two pictures')
  await desk.keyboard.press('1')
  await expect.poll(() => dialog.getByRole('region').count()).toBe(1)
  await desk.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await lines.nth(0).evaluate((line) => line === document.activeElement)).toBe(true)

  // By keys alone, of another size: 100 pixels are painted, and 800 are new.
  await desk.getByRole('heading', { name: 'Boats' }).click()
  for (const key of ['j', 'j', 'Enter']) await desk.keyboard.press(key)
  await dialog.getByRole('region', { name: 'Now' }).waitFor()
  // The pane had the focus, and has it again: Enter presses nothing else.
  await desk.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await desk.evaluate(() => document.activeElement?.matches('button, a, input'))).toBe(false)
  await desk.keyboard.press('Enter')
  await dialog.getByRole('region', { name: 'Now' }).waitFor()
  await desk.keyboard.press('5')
  await dialog.getByText('28% of the pixels differ · the pictures have different sizes').waitFor()
  const marked = await dialog.locator('canvas').evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement
    const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
    return [width, height, data.filter((value, at) => at % 4 === 3 && value === 255).length]
  })
  expect(marked).toEqual([80, 40, 900])
  await dialog.getByRole('button', { name: 'Actual size (1:1)' }).click()
  expect(await facts(desk)).toEqual([
    ['File', 'map.png', 'map.png'],
    ['Dimensions', '60 × 40 px', '80 × 40 px'],
    ['File size', expect.any(String), expect.any(String)],
    ['Alternative text', 'empty: read aloud as nothing', 'empty: read aloud as nothing'],
  ])
  await keepPicture(app, 'lightbox-sizes')
  await desk.keyboard.press('Escape')

  // A film is its first frame and its length, and one that cannot be decoded says so.
  await lines.nth(4).click()
  await expect.poll(() => facts(desk)).toContainEqual(['Length', '0:02', '0:03'])
  expect(await facts(desk)).toContainEqual(['Dimensions', '64 × 48 px', '96 × 54 px'])
  expect(await dialog.locator('video, audio').count()).toBe(0)
  const colour = (side: string) =>
    dialog
      .getByRole('region', { name: side })
      .locator('img')
      .evaluate((image) => {
        const canvas = document.createElement('canvas')
        const context = canvas.getContext('2d')!
        context.drawImage(image as HTMLImageElement, 0, 0)
        return [...context.getImageData(9, 9, 1, 1).data]
      })
  expect((await colour('Before'))[2], 'blue').toBeGreaterThan(140)
  expect((await colour('Now'))[0], 'brown').toBeGreaterThan(140)
  await keepPicture(app, 'lightbox-film')
  await desk.keyboard.press('Escape')
  await lines.nth(5).click()
  await dialog.getByText('This file cannot be shown: it is damaged').waitFor()
  await keepPicture(app, 'lightbox-broken')
  await desk.keyboard.press('Escape')

  // The media of both versions, one after the other.
  await desk.getByRole('tab', { name: 'Media' }).click()
  await desk.getByRole('button', { name: 'Show back.png' }).click()
  await dialog.getByText('1 of 5').waitFor()
  await desk.keyboard.press('j')
  await dialog.getByText('2 of 5').waitFor()
  await keepPicture(app, 'lightbox-media')
  await close()
})

test('a picture of a single version is shown without modes', async () => {
  const { page: window, close } = await startDesk({ story: story.slice(1) })
  await window
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: /^Materials/ })
    .click()
  await window.getByRole('row', { name: /story/ }).dblclick()
  await window.getByRole('tab', { name: 'Media' }).click()
  const opener = window.getByRole('button', { name: 'Show lead.svg' })
  await opener.click()
  const dialog = window.getByRole('dialog', { name: 'lead.svg' })
  await dialog.getByRole('region', { name: 'lead.svg' }).waitFor()
  expect(await dialog.getByRole('radio').count()).toBe(0)
  expect(await facts(window)).toContainEqual(['Alternative text', 'Nets on poles'])
  await expectAccessible(window, 'a picture in the lightbox')
  await window.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  await close()
})

test('a hostile drawing in the lightbox runs nothing and sends nothing', async () => {
  const canary = await aCanary()
  const html = '<h1>Drawing</h1><p>With a drawing below.</p><img src="dummy-drawing.svg" alt="">'
  const {
    app,
    page: desk,
    close,
  } = await startDesk({
    story: [
      { html, files: { 'drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>') } },
      { html, files: { 'drawing.svg': activeSvg(canary.url) } },
    ],
  })
  const logs = join(await aFolder(), 'window.json')
  await app.evaluate(({ session }, path) => session.defaultSession.netLog.startLogging(path), logs)
  await openDesk(desk)
  await changesOf(desk).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('region', { name: 'Now' }).waitFor()
  await expect.poll(() => areDecoded(desk)).toBe(true)
  for (const key of ['1', '2', '3', '4']) {
    await desk.keyboard.press(key)
    await expect.poll(() => areDecoded(desk)).toBe(true)
  }
  await dialog.locator('[data-layers]').click()
  // Chromium gives no pixels of a drawing with HTML in it.
  await desk.keyboard.press('5')
  await dialog.getByText('The pictures could not be compared.').waitFor()
  expect(await desk.title()).toBe('Review · Galley')
  await app.evaluate(({ session }) => session.defaultSession.netLog.stopLogging())
  const log = await readFile(logs, 'utf8')
  expect(log).toContain('events')
  expect(log).not.toContain(canary.url)
  expect([canary.hits, canary.connections()]).toEqual([[], 0])
  await close()
})
