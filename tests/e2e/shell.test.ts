import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, goTo, inGrid, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { openDialog } from './support/dialogs.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { tabOnto } from './support/keyboard.ts'
import { libraryOf, openReview } from './support/review.ts'
import { focusAtRest } from './support/unhurried.ts'

const currentPane = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? null)
const sectionNow = (page: Page) => page.locator('[data-pane="sidebar"] [aria-current="page"]').textContent()

async function runFromPalette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
  await page.keyboard.type(words)
  await page.getByRole('option', { name: words }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.locator(openDialog).waitFor({ state: 'detached' })
}

test('the window by keyboard alone', async () => {
  const { page, chosen, close } = await startHarbourWeekly()

  // A button without text has one tooltip of the window, and none of the system.
  const fold = page.getByRole('button', { name: 'Collapse sidebar' })
  await fold.hover()
  await page.getByText('Ctrl+B', { exact: true }).waitFor()
  await expect.poll(() => fold.getAttribute('title')).toBeNull()

  // The palette finds objects and commands and counts them, and Escape returns the focus.
  await page.keyboard.press('F6')
  await page.evaluate(focusAtRest)
  const before = await currentPane(page)
  await page.keyboard.press('Control+p')
  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  await field.waitFor()
  await page.keyboard.type('weekend')
  await page.getByRole('option', { name: chosen }).waitFor()
  await expect.poll(() => page.getByRole('dialog').getByRole('status').first().textContent()).toMatch(/\d+ results?/)
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })
  await expect.poll(() => currentPane(page)).toBe(before)
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.type('zeppelin')
  await page.getByText('Nothing matches').waitFor()
  await page.keyboard.press('Control+k')
  await field.waitFor({ state: 'detached' })

  await runFromPalette(page, 'Go to Delivery')
  await expect.poll(() => sectionNow(page)).toContain('Delivery')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => sectionNow(page)).toContain('Materials')
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(() => sectionNow(page)).toContain('Delivery')
  await page.keyboard.press('Control+2')
  // What was used last comes first.
  await page.keyboard.press('Control+k')
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Go to Delivery' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })

  // A question mark is a letter in a field, and opens the sheet of shortcuts everywhere else.
  const search = page.getByRole('textbox', { name: 'Search materials' })
  await page.keyboard.press('Control+f')
  await page.keyboard.type('?')
  await expect.poll(() => search.inputValue()).toBe('?')
  await page.keyboard.press('Escape')
  await tabOnto(page.getByRole('grid', { name: 'Materials' }))
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Open the command palette', { exact: true }).waitFor()
  await page.keyboard.press('Control+5')
  await expect
    .poll(() => sectionNow(page), { message: 'a layer keeps the keys from what lies below' })
    .toContain('Materials')
  // Shortcuts are changed in their list; those of another command are refused.
  const keys = sheet.getByRole('button', { name: /^Change the shortcut for “Go to Delivery”/ })
  await tabOnto(keys)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+k')
  await sheet.getByText('is already used for “Open the command palette”').waitFor()
  await page.keyboard.press('Control+j')
  await expect.poll(() => keys.textContent()).toContain('Ctrl+J')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+j')
  await expect.poll(() => sectionNow(page)).toContain('Delivery')
  await page.keyboard.press('Control+2')

  // Cycles through the panes, forwards and backwards.
  const order: (string | null)[] = []
  for (let presses = 0; presses < 3; presses += 1) {
    await page.keyboard.press('F6')
    await page.evaluate(focusAtRest)
    order.push(await currentPane(page))
  }
  expect(new Set(order)).toStrictEqual(new Set(['sidebar', 'list', 'inspector']))
  await page.keyboard.press('Shift+F6')
  await expect.poll(() => currentPane(page)).toBe(order[1])

  // Sidebar and inspector can be collapsed and expanded.
  const inspector = page.locator('[data-pane="inspector"]')
  await page.keyboard.press('Control+i')
  await inspector.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+i')
  await inspector.waitFor()
  const sidebarWidth = () =>
    page.locator('[data-pane="sidebar"]').evaluate((element) => element.getBoundingClientRect().width)
  await page.keyboard.press('Control+b')
  await expect.poll(sidebarWidth).toBe(48)
  await page.keyboard.press('Control+b')
  await expect.poll(sidebarWidth).toBeGreaterThan(150)

  // Letters find a row, Ctrl+F the search field of the pane.
  await page.keyboard.press('Control+2')
  await tabOnto(page.getByRole('grid', { name: 'Materials' }))
  await page.keyboard.type('why')
  await expect
    .poll(() => inGrid(page, 'Materials').filter({ hasText: 'Why boats' }).getAttribute('aria-selected'))
    .toBe('true')
  await page.keyboard.press('Control+f')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Search materials')

  // Tasks: the drawer stays open while a person works elsewhere.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+t')
  await page.getByRole('region', { name: 'Tasks' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Control+Shift+t')
  await page.getByRole('region', { name: 'Tasks' }).waitFor({ state: 'detached' })
  // Escape closes it wherever the focus is, but closes layers above it first.
  await page.keyboard.press('Control+Shift+t')
  await page.getByRole('button', { name: /^Site:/ }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Tasks' }).waitFor()
  await tabOnto(page.getByRole('grid', { name: 'Materials' }))
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Tasks' }).waitFor({ state: 'detached' })
  await close()
})

test('language, theme and place are restored, and another language is complete', async () => {
  const first = await startHarbourWeekly()

  // What may have failed while Galley was closed is reported until it is dismissed.
  const gap = first.page.getByText(/^Galley was closed or not listening from .*: “Tide tables for November”/)
  await gap.waitFor()
  await first.page.getByRole('status').filter({ has: gap }).getByRole('button', { name: 'Dismiss' }).click()
  await gap.waitFor({ state: 'detached' })

  await goTo(first.page, 'Delivery')
  await runFromPalette(first.page, 'Dark theme')
  await expect.poll(() => first.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true)
  await first.page.keyboard.press('Control+b')
  // A border is moved by arrow keys, reports its position, and keeps it.
  const placeOf = async (page: Page) => Number(await page.getByRole('separator').last().getAttribute('aria-valuenow'))
  const before = await placeOf(first.page)
  await tabOnto(first.page.getByRole('separator').last())
  for (let presses = 0; presses < 8; presses += 1) await first.page.keyboard.press('ArrowLeft')
  await expect.poll(() => placeOf(first.page)).toBeLessThan(before - 4)
  await runFromPalette(first.page, 'Language: Russian')
  await first.page.getByRole('heading', { level: 1, name: 'Доставка' }).waitFor()
  expect(await first.page.evaluate(() => document.documentElement.lang)).toBe('ru')
  await expect
    .poll(() => first.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label)))
    .toContain('Правка')
  await expectAccessible(first.page)
  const size = { width: 1230, height: 700 }
  await first.nativeWindow.evaluate((shown, size) => shown.setBounds(size), size)
  await expect.poll(() => first.page.evaluate(() => innerWidth)).toBeLessThanOrEqual(size.width)
  // In a narrower window, panes keep their least widths: the place is compared at the same width.
  const moved = await placeOf(first.page)
  await first.close()

  const again = await first.again()
  await again.page.getByRole('heading', { level: 1, name: 'Доставка' }).waitFor()
  expect(await again.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true)
  expect(await again.nativeWindow.evaluate((shown) => shown.getBounds())).toMatchObject(size)
  const sidebar = again.page.locator('[data-pane="sidebar"]')
  expect(await sidebar.evaluate((element) => element.getBoundingClientRect().width)).toBe(48)
  await expect.poll(async () => Math.abs((await placeOf(again.page)) - moved)).toBeLessThan(2)
  await again.close()
})

test('a closed window leaves the listener on, and a second start brings the window back', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { app, page, nativeWindow, close } = await startApp({ library, port })
  await expectListener(page, 'Listening')
  const isVisible = () => nativeWindow.evaluate((shown) => shown.isVisible())
  await nativeWindow.evaluate((shown) => shown.close())
  await expect.poll(isVisible).toBe(false)
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)

  const { executable, args, env } = await app.evaluate(() => ({
    executable: process.execPath,
    args: process.argv.slice(1).filter((word) => !/^--(?:inspect|remote-debugging)/.test(word)),
    env: process.env,
  }))
  const second = spawn(executable, args, { env, stdio: 'ignore' })
  const [code] = (await once(second, 'exit')) as [number | null]
  expect(code).toBe(0)
  await expect.poll(isVisible).toBe(true)
  await close()
})

test('a window that closes for good closes its reviews', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment, versions } = await libraryOf(library, port, { story: [{ html: '<h1>Story</h1>' }] })
  const { app, page, nativeWindow } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  await openReview(app, page, { materialId: 'story', versionId: versions['story']?.[0] ?? '' })
  // Without a listener, the app does not stay in the tray.
  await page.evaluate(() => window.galley.call('stopListener', undefined))
  await expectListener(page, 'Stopped')
  const exited = once(app.process(), 'exit')
  await nativeWindow.evaluate((shown) => shown.close())
  expect(await exited).toStrictEqual([0, null])
})
