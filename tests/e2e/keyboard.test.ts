import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { disturbCalls } from './support/calls.ts'
import { paneTo, tabOnto, tabTo } from './support/keyboard.ts'
import { aPage } from './support/service.ts'
import { startSiteWindow } from './support/site-window.ts'
import { startThreeVersions } from './support/three-versions.ts'

test('the main path by keyboard alone', { timeout: 90_000 }, async () => {
  const { page, saveInOpened, close } = await startSiteWindow()
  const current = () =>
    page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current="page"]').textContent()

  await page.keyboard.press('Control+2')
  await expect.poll(current).toContain('Callbacks')
  await page.keyboard.press('Control+3')
  await expect.poll(current).toContain('Fonts')
  await page.keyboard.press('Control+1')
  await expect.poll(current).toContain('Materials')

  // Escape closes the dialog and returns the focus; Enter opens it again.
  await tabTo(page, 'New material')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New material')

  for (const [id, title] of [
    ['one', 'Alpha'],
    ['two', 'Beta'],
  ] as const) {
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(id)
    await page.keyboard.press('Tab')
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const heading of [`${title} one`, `${title} two`]) {
      expect(await saveInOpened(aPage(heading))).toMatchObject({ result: 'merged' })
    }
    // Rows that are about to move are nothing to walk through.
    await inGrid(page, 'Materials').filter({ hasText: title }).filter({ hasText: 'days2' }).waitFor()
    await page.keyboard.press('Control+f')
    await tabTo(page, 'New material')
  }

  // Into the list, down, on to the material, its versions, their parts.
  const materials = inGrid(page, 'Materials')
  await tabTo(page, 'Materials')
  await page.keyboard.press('End')
  await expect.poll(() => materials.nth(1).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => materials.nth(0).getAttribute('aria-selected')).toBe('true')
  expect(await materials.nth(0).textContent()).toContain('Beta')
  await page.keyboard.press('Enter')
  const versions = inGrid(page, 'Versions')
  await expect.poll(() => versions.count()).toBe(2)
  await tabTo(page, 'Versions')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => versions.nth(1).getAttribute('aria-selected')).toBe('true')
  await tabTo(page, 'Summary')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('HTML source').getByText('Beta one').waitFor()

  await page.keyboard.press('Control+2')
  await tabTo(page, 'Callbacks')
  await page.getByRole('region', { name: 'What happened and what to do' }).waitFor()
  await close()
})

test('a screen that replaces another takes its focus', { timeout: 120_000 }, async () => {
  const { app, page, close } = await startThreeVersions()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  const press = (key: string) => page.keyboard.press(key)
  const find = async (text: string, option: string): Promise<void> => {
    await press('Control+k')
    await page.keyboard.type(text)
    await page.getByRole('option', { name: option }).and(page.locator('[data-highlighted]')).waitFor()
    await press('Enter')
  }
  await tabTo(page, 'Versions')
  await press('Alt+ArrowLeft')
  await expect.poll(focused).toBe('Materials')
  await press('Enter')
  await expect.poll(focused).toBe('Versions')
  await press('Control+2')
  await expect.poll(focused).toBe('Callbacks')
  await find('ferry', 'stories/ferry')
  await expect.poll(focused).toBe('Versions')
  // A dialog that is closed again gives the focus back to its button, also one that shows a form at once.
  await page.evaluate(() => window.galley.call('changeSettings', { showsWhatIsSent: true }))
  const open = page.getByRole('button', { name: 'Open in editor' })
  await tabOnto(open)
  await press('Enter')
  await page.getByRole('dialog', { name: 'Open in editor' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true)
  // A list that is still being read gets the focus once it is there.
  const answer = await disturbCalls(app, { pagesOfSite: 'waits' })
  await press('Control+4')
  await page.getByRole('region', { name: 'Publish' }).getByRole('status', { name: 'Loading' }).waitFor()
  await answer()
  await expect.poll(focused).toBe('Pages')
  await close()
})

test('what is closed by its own button leaves the focus in its pane', { timeout: 120_000 }, async () => {
  const { page, save, close } = await startSiteWindow()
  expect(await save('stories/ferry', aPage('The last ferry'))).toMatchObject({ result: 'merged' })
  await inGrid(page, 'Materials').first().click()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.keyboard.press('Control+a')
  await tabTo(page, 'Clear selection')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Materials')

  await page.keyboard.press('Control+f')
  await page.keyboard.type('zeppelin')
  await tabTo(page, 'Clear search')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Materials')

  await page.keyboard.press('Control+Shift+T')
  await paneTo(page, 'Tasks')
  await tabTo(page, 'Close')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Materials')
  await close()
})
