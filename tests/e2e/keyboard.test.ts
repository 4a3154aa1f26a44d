import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { disturbCalls } from './support/calls.ts'
import { openDialog } from './support/dialogs.ts'
import { paneTo, tabOnto, tabTo } from './support/keyboard.ts'
import { startThreeVersions } from './support/three-versions.ts'

test('focus: a screen that replaces another takes it, what closes gives it back', async () => {
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
  await press('Control+5')
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
  await page.locator(openDialog).waitFor({ state: 'detached' })
  await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true)
  // A list that is still being read gets the focus once it is there.
  const answer = await disturbCalls(app, { pagesOfSite: 'waits' })
  await press('Control+3')
  await page.getByRole('region', { name: 'Publish' }).getByRole('status', { name: 'Loading' }).waitFor()
  await answer()
  await expect.poll(focused).toBe('Pages')

  // What is closed by its own button leaves the focus in its pane.
  await press('Control+2')
  await page.getByRole('button', { name: 'Materials', exact: true }).last().click()
  await inGrid(page, 'Materials').first().click()
  await press('Control+a')
  await tabTo(page, 'Clear selection')
  await press('Enter')
  await expect.poll(focused).toBe('Materials')

  await press('Control+f')
  await page.keyboard.type('zeppelin')
  await tabTo(page, 'Clear search')
  await press('Enter')
  await expect.poll(focused).toBe('Materials')

  await press('Control+Shift+T')
  await paneTo(page, 'Tasks')
  await tabTo(page, 'Close')
  await press('Enter')
  await expect.poll(focused).toBe('Materials')
  await close()
})
