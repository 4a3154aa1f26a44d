import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'

import type { Task } from '../../packages/library/views/tasks.ts'
import { aFolder, aFreePort, expectListener, inGrid, startApp } from './support/app.ts'
import { disturbCalls } from './support/calls.ts'
import { pageIsSeen } from './support/desk.ts'
import { openDialog } from './support/dialogs.ts'
import { chooseInMenu, paneTo, tabTo } from './support/keyboard.ts'
import { libraryOf, openReview } from './support/review.ts'

const page = (heading: string) => ({ html: `<article><h1>${heading}</h1><p>About it.</p></article>` })

/** A window on a site with two materials, now or again. */
async function startPress() {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const profile = await aFolder()
  const { environment, versions } = await libraryOf(library, port, {
    'stories/quay': [page('The old quay'), page('The old quay at dawn')],
    'stories/pier': [page('The long pier')],
  })
  const start = async () => {
    const started = await startApp({ library, port, environment, profile })
    await expectListener(started.page, 'Listening')
    await inGrid(started.page, 'Materials').nth(1).waitFor()
    return started
  }
  return { start, quay: versions['stories/quay'] ?? [] }
}

/** Records which properties are animated from now on. The returned function lists them, except opacity. */
async function watchMotion(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const moved = new Set<string>()
    document.addEventListener('transitionrun', ({ propertyName }) => moved.add(propertyName), true)
    Object.assign(window, { moved })
  })
  return () =>
    page.evaluate(async () => {
      // A change is drawn in the next frame, and its transitions are reported in the one after.
      for (const _frame of [1, 2, 3]) await new Promise(requestAnimationFrame)
      const { moved } = window as unknown as { readonly moved: Set<string> }
      const found = [...moved].filter((property) => property !== 'opacity')
      moved.clear()
      return found.toSorted()
    })
}

/** Endless animations. */
const looping = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => document.getAnimations().map((animation) => (animation as CSSAnimation).animationName))

const aRunningTask: Task = {
  id: 'one',
  kind: 'libraryCheck',
  facts: {},
  startedAt: new Date().toISOString(),
  endedAt: null,
  progress: null,
  end: { kind: 'running', isCancelling: false },
}

/** Opens one of everything that floats: a dialog, a menu, a toast, the drawer with work under way. */
async function openLayers(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New material' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Site:/ }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await inGrid(page, 'Materials').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy ID' }).click()
  await page.getByLabel('Dismiss').click()
  await page.locator('[data-toast]').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+r')
  await page.keyboard.press('Control+Shift+t')
  await page.getByRole('region', { name: 'Tasks' }).getByRole('progressbar').waitFor()
}

test('nothing moves in the window and in reviews under reduced motion', async () => {
  const { start, quay } = await startPress()
  const { app, page, close } = await start()
  const calmDown = await disturbCalls(app, { listTasks: { answers: [aRunningTask] } })
  const motion = await watchMotion(page)

  await openLayers(page)
  expect(await motion(), 'what moves for everybody else').toContain('translate')
  expect(await looping(page)).toHaveLength(2)
  await page.keyboard.press('Control+Shift+t')

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await motion()
  await openLayers(page)
  expect(await motion()).toStrictEqual([])
  expect(await looping(page)).toStrictEqual([])
  await calmDown()

  const [older = '', newer = ''] = quay
  const frame = await openReview(app, page, { materialId: 'stories/quay', versionId: newer, compareWith: older })
  await pageIsSeen(frame)
  const frameMotion = await watchMotion(frame)
  const walk = async (): Promise<void> => {
    for (const name of ['Approve', 'Request changes…', 'Older version'])
      await frame.getByRole('button', { name, exact: true }).first().hover()
  }
  await walk()
  expect(await frameMotion(), 'what moves for everybody else').toStrictEqual(['background-color'])
  await frame.emulateMedia({ reducedMotion: 'reduce' })
  await walk()
  expect(await frameMotion()).toStrictEqual([])
  await close()
})

const chooser = (page: Page): Locator =>
  page.getByRole('grid', { name: 'Materials' }).getByRole('button', { name: 'Columns' })
/** The words of the header row. */
const heads = (page: Page) => page.getByRole('grid', { name: 'Materials' }).getByRole('columnheader').allTextContents()
const line = (page: Page, name: string): Locator => page.getByRole('menuitemcheckbox', { name, exact: true })

test('columns are chosen by mouse and by keys and stay; moments tell exactly; focus comes back; title and fields', async () => {
  const { start } = await startPress()
  const { app, page, nativeWindow, close } = await start()
  const press = (key: string) => page.keyboard.press(key)
  const shown = page.locator('time').filter({ visible: true }).first()

  // The exact time is shown on hover and on focus, and is in the title for screen readers.
  const exact = shown.locator('span').nth(1)
  await expect.poll(() => shown.innerText()).toMatch(/ago|now/i)
  const title = (await shown.getAttribute('title')) ?? ''
  expect(title).toMatch(/\d{4}.*\d\d:\d\d:\d\d/)
  await shown.hover()
  await expect.poll(() => exact.isVisible()).toBe(true)
  await expect.poll(() => shown.innerText()).toMatch(/\d\d:\d\d/)
  await page.mouse.move(1, 1)
  await expect.poll(() => exact.isVisible()).toBe(false)
  await page.getByRole('grid', { name: 'Materials' }).focus()
  await press('ArrowDown')
  await expect.poll(() => exact.isVisible()).toBe(true)

  // Columns, by mouse and by keys.
  await expect.poll(() => heads(page)).not.toContain('Size')
  await page.getByRole('columnheader', { name: 'Title' }).hover()
  await chooser(page).click()
  await line(page, 'Size').click()
  await expect.poll(() => heads(page)).toContain('Size')
  // However many are chosen, titles beside their pictures can be read.
  for (const name of ['Versions', 'Saved by']) await line(page, name).click()
  await expect.poll(() => heads(page)).toEqual(expect.arrayContaining(['Versions', 'Saved by']))
  const titles = page.getByRole('columnheader', { name: 'Title' })
  await expect.poll(() => titles.evaluate((head) => head.getBoundingClientRect().width)).toBeGreaterThanOrEqual(180)
  for (const name of ['Versions', 'Saved by']) await line(page, name).click()
  await press('Escape')
  await page.getByRole('grid', { name: 'Materials' }).focus()
  await tabTo(page, 'Columns')
  await press('Enter')
  await line(page, 'Status').waitFor()
  await chooseInMenu(page, 'Status')
  await expect.poll(() => heads(page)).not.toContain('Status')
  await press('Escape')
  const chosen = await heads(page)

  // Shift+Tab leaves the toasts to where F6 came from.
  await page.getByRole('grid', { name: 'Materials' }).focus()
  await press('Shift+F10')
  await chooseInMenu(page, 'Copy ID')
  await page.locator('[data-toast]').waitFor()
  await paneTo(page, 'Notifications')
  await press('Shift+Tab')
  const currentPane = () =>
    page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? null)
  await expect.poll(currentPane).toBe('inspector')

  // However fast Tab is pressed, a dialog keeps it.
  await page.getByRole('button', { name: 'New material' }).click()
  const dialog = page.getByRole('dialog', { name: 'New material' })
  await dialog.getByRole('button').last().focus()
  await page.evaluate(() => {
    const held: FrameRequestCallback[] = []
    Object.assign(window, { held, frames: window.requestAnimationFrame })
    window.requestAnimationFrame = (run) => held.push(run)
  })
  // Unlike `press`, these wait for nothing.
  for (const _press of [1, 2]) {
    await page.keyboard.down('Tab')
    await page.keyboard.up('Tab')
  }
  await page.evaluate(() => {
    const { held, frames } = window as unknown as {
      held: FrameRequestCallback[]
      frames: typeof requestAnimationFrame
    }
    window.requestAnimationFrame = frames
    for (const run of held) run(performance.now())
  })
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // The title of the window names what it shows; text fields have a menu.
  const titleOfWindow = () => nativeWindow.evaluate((shown) => shown.getTitle())
  await expect.poll(titleOfWindow).toBe('Materials · Galley')
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Delivery' }).click()
  await expect.poll(titleOfWindow).toBe('Delivery · Galley')

  await app.evaluate(({ Menu }) => {
    const menus: string[][] = []
    Object.assign(globalThis, { menus })
    Menu.prototype.popup = function popup() {
      menus.push(this.items.map(({ role, type }) => role ?? type))
    }
  })
  const menus = () => app.evaluate(() => (globalThis as unknown as { menus: string[][] }).menus)
  await page.getByRole('search').getByRole('textbox').fill('quay')
  await page.getByRole('search').getByRole('textbox').click({ button: 'right' })
  await expect.poll(menus).toEqual([['cut', 'copy', 'paste', 'separator', 'selectall']])
  // Where there is nothing to copy there is no menu.
  await page.getByRole('contentinfo').click({ button: 'right' })
  await page.getByRole('search').getByRole('textbox').click({ button: 'right' })
  await expect.poll(menus).toHaveLength(2)
  await press('Control+2')
  await expect.poll(titleOfWindow).toBe('Materials · Galley')
  await close()

  const again = await start()
  await expect.poll(() => heads(again.page)).toStrictEqual(chosen)
  await again.page.getByRole('columnheader', { name: 'Title' }).hover()
  await chooser(again.page).click()
  await again.page.getByRole('menuitem', { name: 'Reset columns' }).click()
  await expect.poll(() => heads(again.page)).toContain('Status')
  await expect.poll(() => heads(again.page)).not.toContain('Size')
  await again.close()
})
