import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { deskPages, keepPicture, openDesk, pageIsSeen, seenPage, startDesk } from './support/desk.ts'
import { aPicture } from './support/review.ts'

const paragraphs = (...texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join('')
const fill = Array.from({ length: 30 }, (_, at) => `Line ${at} of the long story about boats and the weather.`)
const story = (standfirst: string, end: string): string =>
  `<style>body { font: 17px/1.6 serif; margin: 40px; display: flex; flex-direction: column } body > :last-child { color: teal } p:only-child { width: 10px }</style>
  <h1>A weekend by the harbour</h1><p>${standfirst}</p><a href="#end">To the end</a>${paragraphs(...fill)}${end}`
const before = story(
  'Two days, three ferries and a plate of fish that is worth the wind.',
  paragraphs('The last ferry leaves at nine.', 'Nobody hurries here; the tide sets the hours.'),
)
const after = story(
  'Two days, three ferries and a bowl of soup that is worth the wind.',
  paragraphs('Nobody hurries here; the tide sets the hours.', 'Painters come for the light and stay for the rents.'),
)

/** The place of every element of the page on top, in pixels. */
const placesIn = (app: ElectronApplication, id: number): Promise<readonly string[]> =>
  app.evaluate(
    ({ webContents }, id) =>
      webContents.fromId(id)?.executeJavaScriptInIsolatedWorld(7, [
        {
          code: `document.fonts.ready.then(() => [...document.querySelectorAll('*')].map((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [element.localName, x, y, width, height, getComputedStyle(element).color].join(' ');
          }).concat([document.documentElement.scrollWidth + ' ' + document.documentElement.scrollHeight]))`,
        },
      ]) as Promise<readonly string[]>,
    id,
  )

/** Presses a key in the view of the page, where it has the focus. */
const pressInPage = (app: ElectronApplication, keyCode: string) =>
  app.evaluate(({ webContents }, input) => webContents.getFocusedWebContents()?.sendInputEvent(input), {
    type: 'keyDown',
    keyCode,
  } as const)

const isInPage = (app: ElectronApplication) =>
  app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().startsWith('galley-review:') === true)

test('a page is read with its marks, gone through and decided by keys alone', async () => {
  const { app, page, versions, close } = await startDesk({
    story: [{ html: before }, { html: after }],
    market: [
      { html: '<h1>At nine, the market</h1><img src="dummy-a.png" alt="">', files: { 'a.png': aPicture } },
      { html: '<h1>At ten, the market</h1><img src="dummy-a.png" alt="">', files: { 'a.png': aPicture } },
    ],
    lighthouse: [{ html: '<h1>The lighthouse road</h1>' }],
  })
  await openDesk(page)
  await keepPicture(app, 'desk')
  await expectAccessible(page, 'the desk')
  const list = page.getByRole('list', { name: 'Pages that wait' })
  const current = list.locator('[aria-current]')
  expect(await list.getByRole('listitem').count()).toBe(3)
  await page.getByText('2 pages changed since you approved them · 1 new page').waitFor()

  // Marks: words in the text, and a line for each change.
  const seen = await seenPage(app)
  expect(seen?.text).toContain('bowl of soup')
  expect(seen?.words).toStrictEqual(['bowl', 'soup'])
  const changes = page.getByRole('region', { name: '3 changes' }).locator('ol button[data-desk]')
  expect(await changes.count()).toBe(3)

  // The changes one by one, from the window and from inside the page; the page scrolls to each.
  await page.keyboard.press('j')
  await expect.poll(() => changes.nth(0).getAttribute('aria-current')).toBe('true')
  expect((await seenPage(app))?.y).toBe(0)
  await page.getByRole('button', { name: /^The page under review/ }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => isInPage(app)).toBe(true)
  await pressInPage(app, 'j')
  await expect.poll(() => changes.nth(1).getAttribute('aria-current')).toBe('true')
  await expect.poll(async () => (await seenPage(app))?.y).toBeGreaterThan(300)
  expect(await isInPage(app)).toBe(true)

  // As it was, while Space is held: at the same change, with the words that were taken.
  await pressInPage(app, 'Space')
  await expect.poll(async () => (await seenPage(app))?.text).toContain('plate of fish')
  expect((await seenPage(app))?.words).toStrictEqual(['plate', 'fish'])
  expect((await seenPage(app))?.y).toBeGreaterThan(300)
  await keepPicture(app, 'desk-before')
  await expect.poll(() => isInPage(app)).toBe(false)
  await page.keyboard.press('j')
  await expect.poll(() => changes.nth(2).getAttribute('aria-current')).toBe('true')
  await page.keyboard.up(' ')
  await expect.poll(async () => (await seenPage(app))?.text).toContain('bowl of soup')
  await expect.poll(() => isInPage(app)).toBe(true)

  // The page stands as without marks, and is clicked and selected through them.
  const id = (await seenPage(app))?.id ?? 0
  await app.evaluate(
    ({ webContents }, id) => webContents.fromId(id)?.executeJavaScriptInIsolatedWorld(7, [{ code: 'scrollTo(0, 0)' }]),
    id,
  )
  const marked = await placesIn(app, id)
  const click = (x: number, y: number, clickCount: number) =>
    app.evaluate(
      ({ webContents }, { id, x, y, clickCount }) => {
        for (const type of ['mouseDown', 'mouseUp'] as const)
          webContents.fromId(id)?.sendInputEvent({ type, x, y, button: 'left', clickCount })
      },
      { id, x, y, clickCount },
    )
  const standfirst =
    marked
      .find((place) => place.startsWith('p '))
      ?.split(' ')
      .map(Number) ?? []
  await click(Math.round((standfirst[1] ?? 0) + 12), Math.round((standfirst[2] ?? 0) + 12), 2)
  await expect.poll(async () => (await seenPage(app))?.selected.trim()).toBe('Two')
  const link =
    marked
      .find((place) => place.startsWith('a '))
      ?.split(' ')
      .map(Number) ?? []
  await click(Math.round((link[1] ?? 0) + 8), Math.round((link[2] ?? 0) + 8), 1)
  await app.evaluate(async ({ webContents }, id) => {
    const { once } = process.getBuiltinModule('node:events')
    const contents = webContents.fromId(id)
    if (contents === undefined) return
    const loaded = once(contents, 'did-finish-load')
    contents.reload()
    await loaded
  }, id)
  expect(await placesIn(app, id)).toStrictEqual(marked)

  // Decisions.
  const others = versions['lighthouse'] ?? []
  expect(others).toHaveLength(1)
  await pageIsSeen(page)
  await page.keyboard.press('y')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  await pageIsSeen(page)
  const next = await current.textContent()
  await page.keyboard.press('r')
  await page.getByLabel('What needs to change?').fill('Name the quay.')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await pageIsSeen(page)
  await page.keyboard.press('z')
  await expect.poll(() => current.textContent()).toBe(next)
  await pageIsSeen(page)
  await page.keyboard.press('y')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await pageIsSeen(page)
  await page.keyboard.press('y')
  await page.getByText('All clear').waitFor()
  await page.getByText('3 approved').waitFor()
  const section = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: /Review/ })
  await expect.poll(() => section.textContent()).toBe('Review')
  await keepPicture(app, 'desk-clear')
  await expect.poll(() => deskPages(app)).toStrictEqual([])
  await close()
})

test('the name is asked for once, a newer version is told, and decisions are taken back', async () => {
  const pages = (title: string) => [{ html: `<h1>${title}, then</h1>` }, { html: `<h1>${title}, now</h1>` }]
  const { app, page, save, close } = await startDesk(
    { story: pages('Story'), market: pages('Market'), road: pages('Road') },
    { personName: null },
  )
  await openDesk(page)
  await expect.poll(async () => (await seenPage(app))?.text).toContain('Story, now')
  // Without a name nothing is decided; with it the decision goes on. By keys alone.
  await page.keyboard.press('y')
  const dialog = page.getByRole('dialog', { name: 'What is your name?' })
  await dialog.waitFor()
  await expectAccessible(page, 'the question for a name')
  await keepPicture(app, 'desk-name')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Page 1 of 3').waitFor()
  await pageIsSeen(page)
  await page.keyboard.press('y')
  await dialog.waitFor()
  await page.keyboard.type('Zoe Quist')
  await page.keyboard.press('Enter')
  await page.getByText(/Page \d of 2/).waitFor()
  await dialog.waitFor({ state: 'hidden' })

  // The page that is read stays; approving it asks, and a key that is held asks too.
  await pageIsSeen(page)
  await expect.poll(async () => (await seenPage(app))?.text).toContain('Market, now')
  await save('market', { html: '<h1>Market, later</h1>' })
  await page.getByText('Version 3 has arrived. You are still looking at version 2.').waitFor()
  expect((await seenPage(app))?.text).toContain('Market, now')
  await pageIsSeen(page)
  await page.keyboard.press('y')
  await page.getByText('Approve version 2 although version 3 has arrived?').waitFor()
  await page.getByRole('button', { name: 'Show version 3' }).click()
  await expect.poll(async () => (await seenPage(app))?.text).toContain('Market, later')

  // Approved and published: a held key does it once, and says why it was not published.
  await pageIsSeen(page)
  await page.keyboard.down('Shift')
  for (let at = 0; at < 60; at++) await page.keyboard.down('Y')
  await page.keyboard.up('Y')
  await page.keyboard.up('Shift')
  const toast = page.locator('[data-toast]')
  await toast.getByText('Approved, but not published: Market, then').waitFor()
  await toast.getByText(/^No target of this site is marked/).waitFor()
  await page.getByText('Page 1 of 1').waitFor()

  // In another visit: undo takes back what was decided before, and offers to decide it again.
  await page.reload()
  await openDesk(page)
  await page.getByText('Page 1 of 1').waitFor()
  await page.keyboard.press('z')
  await toast.getByText(/^Approval of .* taken back: Market, then$/).waitFor()
  await page.getByText(/Page \d of 2/).waitFor()
  await page.keyboard.press('z')
  await page.getByText(/Page \d of 3/).waitFor()
  await toast.filter({ hasText: 'Story' }).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('2 pages changed since you approved them').waitFor()
  await close()
})

const many = 41

test(`${many} pages take ${many} keys, and a key that is held approves one`, async () => {
  const materials = Object.fromEntries(
    Array.from({ length: many }, (_, at) => [
      `page-${at}`,
      [{ html: story(`Number ${at} as it was.`, '') }, { html: story(`Number ${at} as it is.`, '') }],
    ]),
  )
  const { app, page, close } = await startDesk(materials)
  await openDesk(page)
  await page.getByText(`Page 1 of ${many}`).waitFor()
  let keys = 0
  for (let left = many; left > 0; left--) {
    const text = left === 1 ? /All clear/ : new RegExp(`Page \\d+ of ${left - 1}$`)
    if (left === many) {
      // Auto-repeat for two seconds: 60 presses of one key that is never released.
      await page.keyboard.down('y')
      for (let at = 0; at < 60; at++) await page.keyboard.down('y')
      await page.keyboard.up('y')
    } else await page.keyboard.press('y')
    keys += 1
    await page.getByText(text).waitFor()
    if (left > 1) {
      await pageIsSeen(page)
      expect((await seenPage(app))?.words).toContain('is')
    }
  }
  expect(keys).toBe(many)
  await page.getByText(`${many} approved`).waitFor()
  await close()
})
