import { expect, test } from 'vitest'

import { showDesign } from './screens/design.ts'
import { goTo } from './support/app.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { focusAtRest } from './support/unhurried.ts'

// Enter and Down lead from every search field into what it found.

test('Enter and Down lead from every search field into its results', async () => {
  const { page, close } = await startHarbourWeekly()
  const press = (key: string) => page.keyboard.press(key)
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement
      return `${at?.getAttribute('role')} ${at?.getAttribute('aria-label') ?? at?.closest('li')?.textContent ?? ''}`
    })

  // Lists: the grid has the focus, and its first row is chosen by the next Down.
  for (const [section, list, words] of [
    ['Materials', 'Materials', 'harbour'],
    ['Publish', 'Pages', 'harbour'],
    ['Delivery', 'Callbacks', 'harbour'],
  ] as const) {
    await goTo(page, section)
    await page.getByRole('grid', { name: list }).waitFor()
    for (const key of ['Enter', 'ArrowDown']) {
      await press('Control+f')
      await page.keyboard.type(words)
      await press(key)
      await expect.poll(focused, { message: `${section}, ${key}` }).toBe(`grid ${list}`)
    }
    await press('Control+f')
    await press('Escape')
  }

  // Check boxes: Space ticks, arrows go on, and up to the field again.
  await goTo(page, 'Publish')
  await page.getByRole('tab', { name: 'Exports' }).click()
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Materials', exact: true }).click()
  await page.getByRole('option', { name: 'Selected materials and versions' }).click()
  const field = dialog.getByRole('textbox', { name: 'Find materials' })
  const boxes = dialog.getByRole('list', { name: 'Matching materials' }).getByRole('checkbox')
  for (const key of ['Enter', 'ArrowDown']) {
    await field.fill('')
    await expect.poll(() => boxes.count()).toBeGreaterThan(2)
    await press(key)
    await expect.poll(focused, { message: `New export, ${key}` }).toMatch(/^checkbox /)
  }
  const first = await focused()
  await press('ArrowDown')
  await expect.poll(focused).not.toBe(first)
  await press('Space')
  await expect.poll(() => boxes.nth(1).getAttribute('aria-checked')).toBe('true')
  await press('ArrowUp')
  await press('ArrowUp')
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await press('Escape')
  await page.evaluate(focusAtRest)

  // Suggestions: the field keeps the focus and names what Enter takes.
  await press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Search or run a command' })
  await palette.waitFor()
  await page.keyboard.type('harbour')
  const active = () => palette.getAttribute('aria-activedescendant')
  await expect.poll(active).not.toBeNull()
  const before = await active()
  await press('ArrowDown')
  await expect.poll(active).not.toBe(before)
  await press('Escape')
  await showDesign(page, 'Menu')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await page.getByLabel('Label').fill('Weekend')
  const chosen = page.getByRole('combobox', { name: 'Page' })
  for (const [key, title] of [
    ['ArrowDown', 'The lighthouse road, on foot'],
    ['Enter', 'A weekend by the harbour'],
  ] as const) {
    await chosen.fill(key === 'Enter' ? 'weekend' : 'lighthouse')
    await page.getByRole('option', { name: title }).waitFor()
    await press(key)
    if (key === 'ArrowDown') await press('Enter')
    await expect.poll(() => chosen.inputValue()).toBe(title)
  }
  await close()
})
