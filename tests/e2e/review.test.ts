import { readFileSync } from 'node:fs'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { expectAccessible, goodPractice } from './support/axe.ts'
import { pageIsSeen } from './support/desk.ts'
import { sharedReviews } from './support/review-windows.ts'
import { aPicture, chooseView, headings, openReview, pagesUnderReview, versionRead } from './support/review.ts'

/** A story that is taller than any window. */
const story = (heading: string, price: string): string =>
  `<article><h1>${heading}</h1><p>The market opens at nine.</p><p>A crate of herring is ${price}.</p>
  <img src="dummy-hero.png" alt=""><div style="height:5000px">The quay.</div></article>`

const font = readFileSync(new URL('../../resources/demo/inter-latin.woff2', import.meta.url))
const fonts = { files: { 'inter.woff2': font }, css: '@font-face{font-family:Press;src:url(dummy-inter.woff2)}' }
const inPress = '<style>h1 { font-family: Press }</style>'
const files = { 'hero.png': aPicture }
const drafts = 6

const reviews = sharedReviews(
  (port) => ({
    story: [
      { html: inPress + story('First', '9 marks'), files },
      {
        html: `<link rel="stylesheet" href="http://127.0.0.1:${port}/fonts/press/current.css">${inPress}${story('Second', '11 marks')}`,
        files,
      },
      { html: story('Third', '12 marks'), files },
    ],
    drafts: Array.from({ length: drafts }, (_, at) => ({ html: story(`Draft ${at}`, '9 marks') })),
    alone: [{ html: '<h1>Alone</h1>' }],
    pair: [{ html: '<h1>First</h1>' }, { html: '<h1>Second</h1>' }],
  }),
  fonts,
)

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

/** Presses a key in the view of the page that has the focus. */
const pressInPage = (app: ElectronApplication, keyCode: string) =>
  app.evaluate(({ webContents }, keyCode) => {
    const contents = webContents.getFocusedWebContents()
    contents?.sendInputEvent({ type: 'keyDown', keyCode })
    contents?.sendInputEvent({ type: 'keyUp', keyCode })
  }, keyCode)

test('a version opens offline, as it was stored; keys walk, narrow and compare', async () => {
  const { app, page, versionsOf } = await reviews()
  const frame = await openReview(app, page, { materialId: 'story', versionId: versionsOf('story')[2] ?? '' })
  const shown = pagesUnderReview(app)

  await expect.poll(() => headings(shown)).toStrictEqual(['Third'])
  expect((await shown())[0]).toMatchObject({ pictures: [1], fonts: [] })
  await expect.poll(() => frame.title()).toBe('First · Galley')
  await versionRead(frame).getByText('Version 3 · current', { exact: true }).waitFor()
  await versionRead(frame).getByText(/anna/).waitFor()
  await pageIsSeen(frame)
  await expectAccessible(frame, 'one page', goodPractice)

  // Goes to older and newer versions, up to the ends.
  await frame.keyboard.press('n')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  // Of two style sheets that bring the family, the browser loads one face or both, as they arrive.
  await expect
    .poll(async () => [...new Set((await shown())[0]?.fonts)], { message: 'the fonts of the site' })
    .toStrictEqual(['Press'])
  await frame.keyboard.press('n')
  await frame.keyboard.press('n')
  await expect.poll(() => headings(shown)).toStrictEqual(['First'])
  await expect
    .poll(async () => (await shown())[0]?.fonts, {
      message: 'the fonts of the site on a page that links no style sheet',
    })
    .toStrictEqual(['Press'])
  await frame.getByText('Compared with no earlier version').waitFor()
  await frame.keyboard.press('p')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  await versionRead(frame).getByText('Version 2', { exact: true }).waitFor()
  await pageIsSeen(frame)

  // The page uses the layout for the chosen width, even if there is less room.
  for (const [name, width] of [
    ['Phone, 390 px', 390],
    ['Tablet, 820 px', 820],
    ['Desktop, 1280 px', 1280],
  ] as const) {
    await chooseView(frame, name)
    await expect.poll(async () => Math.abs(((await shown())[0]?.width ?? 0) - width)).toBeLessThan(3)
  }

  // Two pages side by side, the older one on the left, scaled to the available width.
  await frame.keyboard.press('2')
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Second'])
  await expect
    .poll(async () => (await shown()).map(({ width }) => Math.abs(width - 1280) < 4))
    .toStrictEqual([true, true])
  expect((await shown()).map(({ height }) => height > 900)).toStrictEqual([true, true])
  await expectAccessible(frame, 'two pages', goodPractice)
  const heights = async () => (await shown()).map(({ y }) => Math.round(y))
  /** The scroll positions of both pages at rest; they may differ by a pixel of the screen. */
  const scrolledTo = async (wanted: (y: number) => boolean): Promise<number> => {
    let last: readonly number[] = []
    await expect
      .poll(async () => {
        const now = await heights()
        const [left = 0, right = 0] = now
        const isStill = now.join() === last.join()
        last = now
        return isStill && Math.abs(left - right) <= 4 && wanted(left) ? 'together' : `at ${now.join(' and ')}`
      })
      .toBe('together')
    return last[0] ?? 0
  }
  await wheel(app, 'Second', 700)
  const low = await scrolledTo((y) => y > 600)
  await wheel(app, 'First', -300)
  await scrolledTo((y) => y < low - 200)
  await frame.keyboard.press('1')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])

  // Any two versions are compared.
  await frame.getByRole('combobox', { name: 'Compared with' }).click()
  await frame.getByRole('option', { name: /^Version 3 · / }).click()
  await pageIsSeen(frame)
  await frame.keyboard.press('2')
  await expect.poll(() => headings(shown)).toStrictEqual(['Third', 'Second'])
  await frame.keyboard.press('1')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])

  // Shortcuts work while a page has the keyboard, and F6 moves out of it.
  const focusedUrl = () =>
    app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().split(':')[0] ?? '')
  const enter = async (): Promise<void> => {
    await frame.getByRole('button', { name: /^The page under review/ }).focus()
    await frame.keyboard.press('Enter')
    await expect.poll(focusedUrl).toBe('galley-review')
  }
  await enter()
  await pressInPage(app, 'P')
  await expect.poll(() => headings(shown)).toStrictEqual(['Third'])
  // Custom shortcuts replace the defaults, in the window and in its pages alike.
  const setKeys = (shortcuts: Record<string, string>) =>
    page.evaluate((shortcuts) => window.galley.call('changeSettings', { shortcuts }), shortcuts)
  await setKeys({ 'review.nextPage': 'X', 'review.previousPage': 'Mod+Shift+X' })
  await frame.getByTitle('Older version (X)').waitFor()
  await pageIsSeen(frame)
  await enter()
  await pressInPage(app, 'X')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  // While the sheet is open, the window gets neither shortcuts nor the page the keyboard.
  await pageIsSeen(frame)
  await enter()
  await pressInPage(app, '?')
  const sheet = frame.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.waitFor()
  await expect.poll(focusedUrl, { message: 'the keyboard' }).toBe('app')
  await expectAccessible(frame, 'keys', goodPractice)
  await frame.keyboard.press('x')
  await frame.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  await enter()
  await pressInPage(app, 'F6')
  await expect.poll(focusedUrl).toBe('app')
  await frame.keyboard.press('Control+Shift+X')
  await expect.poll(() => headings(shown)).toStrictEqual(['Third'])
  await setKeys({})
  await frame.getByTitle('Older version (N)').waitFor()

  const closed = frame.waitForEvent('close')
  // The window is closed before the key is released.
  await frame.keyboard.press('Control+w').catch(() => null)
  await closed
  await expect.poll(async () => (await shown()).length).toBe(0)
})

test('fast steps through versions end at the last one chosen; a single version has nothing to compare with', async () => {
  const { app, page, versionsOf } = await reviews()
  const frame = await openReview(app, page, { materialId: 'drafts', versionId: versionsOf('drafts').at(-1) ?? '' })
  const shown = pagesUnderReview(app)
  await expect.poll(() => headings(shown)).toStrictEqual(['Draft 5'])
  // Each page replaces one that is still loading.
  for (const _round of [1, 2, 3]) {
    for (let at = 0; at < drafts; at += 1) await frame.keyboard.press('n')
    await expect.poll(() => headings(shown)).toStrictEqual(['Draft 0'])
    for (let at = 0; at < drafts - 2; at += 1) await frame.keyboard.press('p')
    await expect.poll(() => headings(shown)).toStrictEqual(['Draft 4'])
    await pageIsSeen(frame)
    await frame.keyboard.press('2')
    await expect.poll(() => headings(shown)).toStrictEqual(['Draft 3', 'Draft 4'])
    await frame.keyboard.press('p')
    await expect.poll(() => headings(shown)).toStrictEqual(['Draft 5'])
  }
  const alone = await openReview(app, page, { materialId: 'alone', versionId: versionsOf('alone')[0] ?? '' })
  await alone.getByText('Compared with no earlier version').waitFor()
  await pageIsSeen(alone)
  expect(await alone.getByRole('group', { name: 'View' }).count(), 'ways to compare').toBe(0)
})

/** Holds back the first page that is prepared from now on, until it is released. */
async function holdNextPage(app: ElectronApplication) {
  await app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const send = Worker.prototype.postMessage
    const page = { release: null as (() => void) | null }
    Object.assign(globalThis, { heldPage: page })
    Worker.prototype.postMessage = function (message: { readonly name?: string }, ...others) {
      const give = (): void => send.call(this, message, ...others)
      if (message.name !== 'reviewPage' || page.release !== null) return give()
      page.release = give
    }
  })
  type Held = { release: (() => void) | null }
  return {
    isHeld: () => app.evaluate(() => (Reflect.get(globalThis, 'heldPage') as Held).release !== null),
    release: () => app.evaluate(() => (Reflect.get(globalThis, 'heldPage') as Held).release?.()),
  }
}

/** The responses to stored pages that request their own URL again. */
const askAgain = (app: ElectronApplication) =>
  app.evaluate(({ webContents }) => {
    // Thumbnails, which are drawn meanwhile, close their pages themselves.
    const views = webContents
      .getAllWebContents()
      .filter((each) => !each.isOffscreen() && each.getURL().startsWith('galley-review:'))
    return Promise.all(
      views.map((view) =>
        view.session.fetch(view.getURL()).then(
          ({ status }) => status,
          () => 'refused',
        ),
      ),
    )
  })

test('a review by its window: closed early, and zoomed', async () => {
  const { app, page, versionsOf } = await reviews()
  const [first = '', second = ''] = versionsOf('pair')
  const shown = pagesUnderReview(app)

  // A page that is ready after its window is closed does not affect the next window, which uses the same sessions.
  const held = await holdNextPage(app)
  const early = await openReview(app, page, { materialId: 'pair', versionId: second })
  await expect.poll(held.isHeld).toBe(true)
  const closed = early.waitForEvent('close')
  // The window is closed before the key is released.
  await early.keyboard.press('Control+w').catch(() => null)
  await closed
  const frame = await openReview(app, page, { materialId: 'pair', versionId: second, compareWith: first })
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  await pageIsSeen(frame)
  const made = app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const { emit } = Worker.prototype
    return new Promise<void>((resolve) => {
      Worker.prototype.emit = function (event: string | symbol, ...values: unknown[]) {
        const isHeard = emit.call(this, event, ...values)
        // One turn of the event loop later, the waiting caller has the page.
        if (event === 'message') setImmediate(resolve)
        return isHeard
      }
    })
  })
  await held.release()
  await made
  expect(new Set(await askAgain(app))).toStrictEqual(new Set([200]))

  // A review window has no menu, so these keys work in the frame and in its pages.
  const press = (within: string, keyCode: string) =>
    app.evaluate(
      ({ webContents }, { within, keyCode }) => {
        const all = webContents.getAllWebContents()
        const contents = all.find((each) => !each.isOffscreen() && each.getURL().includes(within))
        for (const type of ['keyDown', 'keyUp'] as const)
          contents?.sendInputEvent({ type, keyCode, modifiers: ['control'] })
      },
      { within, keyCode },
    )
  const zoom = () =>
    app.evaluate(({ webContents }) => {
      const frame = webContents.getAllWebContents().find((each) => each.getURL().includes('?review='))
      return frame?.getZoomLevel()
    })
  for (const [within, keyCode, level] of [
    ['?review=', '=', 0.5],
    ['galley-review:', '=', 1],
    ['galley-review:', '-', 0.5],
    ['?review=', '0', 0],
  ] as const) {
    await press(within, keyCode)
    await expect.poll(zoom, { message: `${keyCode} in ${within}` }).toBe(level)
  }
})

/** Zooms the window of the library by the line of the menu that people use. */
const zoomWindow = (app: ElectronApplication, role: 'zoomin' | 'resetzoom') =>
  app.evaluate(({ BrowserWindow, Menu }, role) => {
    const shown = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().endsWith('/renderer/index.html'),
    )
    const lines = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    lines.find((line) => line.role?.toLowerCase() === role)?.click(undefined, shown, shown?.webContents)
  }, role)

test('the files of an earlier version are saved from the main window', async () => {
  const { app, page, versionsOf } = await reviews()
  const [compareWith = '', versionId = ''] = versionsOf('pair')
  const frame = await openReview(app, page, { materialId: 'pair', versionId, compareWith })
  await frame.getByRole('button', { name: 'Go back to the earlier version…' }).click()
  await frame.getByRole('button', { name: 'Save files…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New export' })
  await expect.poll(() => dialog.textContent()).toContain('FirstFirst#1')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

test('a review grows with the window, and its pages stay in their places', async () => {
  const { app, page, versionsOf } = await reviews()
  const frame = await openReview(app, page, { materialId: 'pair', versionId: versionsOf('pair')[1] ?? '' })
  const shown = pagesUnderReview(app)
  await pageIsSeen(frame)
  await chooseView(frame, 'Desktop, 1280 px')
  const areWide = async () => (await shown()).map(({ width }) => Math.abs(width - 1280) < 4)
  await expect.poll(areWide).toStrictEqual([true])
  const top = () =>
    frame.locator('[class*="room"]').evaluate((room) => room.getBoundingClientRect().top * devicePixelRatio)
  const pageTop = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .flatMap(({ contentView }) => contentView.children as Electron.WebContentsView[])
        .filter(({ webContents }) => webContents?.getURL().startsWith('galley-review:'))
        .map((view) => view.getBounds().y),
    )
  // The page follows its place in the window.
  const gap = async () => Math.abs(((await pageTop())[0] ?? 0) - (await top()))
  await expect.poll(gap).toBe(0)
  const before = await top()
  for (let steps = 0; steps < 4; steps += 1) await zoomWindow(app, 'zoomin')
  await expect.poll(top).toBeGreaterThan(before * 1.4)
  await expect.poll(gap).toBeLessThan(1)
  await expect.poll(areWide).toStrictEqual([true])
  await zoomWindow(app, 'resetzoom')
  await expect.poll(top).toBe(before)
})
