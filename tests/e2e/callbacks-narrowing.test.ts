import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { drawnIn } from './support/drawn-text.ts'
import { chooseInMenu, tabOnto } from './support/keyboard.ts'
import { citySecret, startCallbacks } from './support/two-sites.ts'

/** The value of a minute input: the local time, `minutes` from now. */
function minuteFromNow(minutes: number): string {
  const now = new Date(Date.now() + minutes * 60_000)
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Moves to a filter by keyboard, without selecting a row of the table, which would pause the log. */
async function focusOn(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+f')
  await tabOnto(page.getByRole('group', { name: 'Filters' }).getByRole('button', { name }))
}

test(
  'by keyboard alone the log is narrowed by outcome, time, site and material, and what was asked is kept as a view',
  { timeout: 120_000 },
  async () => {
    const { page, close, start, callbacks, save, forge, signed } = await startCallbacks()
    const press = (key: string) => page.keyboard.press(key)
    const filter = (name: string | RegExp) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
    /** Opens a filter and moves to one of its options. */
    const choose = async (name: string, line: string): Promise<void> => {
      await focusOn(page, name)
      await press('Enter')
      await chooseInMenu(page, line)
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    await forge(signed(citySecret))
    await forge(signed(citySecret), 'nobody')
    await expect.poll(() => callbacks.count()).toBe(2)

    // The summary of the day for this site, as text.
    const day = page.getByRole('img', { name: 'Callbacks per hour in the last 24 hours' })
    await expect.poll(() => day.getAttribute('aria-label')).toMatch(/2 callbacks\. 1 was not stored\. Busiest hour:/)

    // The options show how many callbacks match.
    await focusOn(page, 'Outcome')
    await press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Failed (0)' }).waitFor()
    await chooseInMenu(page, 'Rejected (1)')
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await filter('Outcome: Rejected').waitFor()
    await expect.poll(() => callbacks.count()).toBe(1)

    // For all sites, including an unknown one.
    await choose('Sites', 'All sites')
    await filter('All sites').waitFor()
    await expect.poll(() => callbacks.count()).toBe(2)
    await callbacks.filter({ hasText: 'nobody' }).waitFor()
    await expect.poll(() => day.getAttribute('aria-label')).toContain('3 callbacks. 2 were not stored.')
    await expectAccessible(page)

    // The query is saved under a name.
    await choose('Views', 'Save as view…')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Not let in')
    await press('Enter')
    await filter('View: Not let in').waitFor()
    await focusOn(page, 'Clear filters')
    await press('Enter')
    await expect.poll(() => callbacks.count()).toBe(3)
    await choose('All sites', 'This site')
    await expect.poll(() => callbacks.count()).toBe(2)

    // Between two minutes, of which the second must not be before the first.
    const between = page.getByRole('dialog', { name: 'Custom date range' })
    await choose('Received', 'Between…')
    // Chromium writes days and hours as the language of the window does, whatever the system speaks.
    const speak = (language: 'en' | 'ru') =>
      page.evaluate((language) => window.galley.call('changeSettings', { language }), language)
    const firstDrawn = async () => (await drawnIn(page, 'datetime-local'))[0]
    await between.getByLabel('From').fill('2026-11-20T21:05')
    await expect.poll(firstDrawn).toBe('20/11/2026, 21:05')
    await speak('ru')
    await expect.poll(firstDrawn).toBe('20.11.2026, 21:05')
    await speak('en')
    await expect.poll(firstDrawn).toBe('20/11/2026, 21:05')
    await between.getByLabel('From').fill(minuteFromNow(-10))
    await between.getByLabel('To').fill(minuteFromNow(-20))
    await press('Enter')
    await between.getByText('The end must be after the start').waitFor()
    await expectAccessible(page)
    await between.getByLabel('To').fill(minuteFromNow(-5))
    await press('Enter')
    await between.waitFor({ state: 'detached' })
    await page.getByText('No callbacks match Received:').waitFor()
    await choose('Received', 'Between…')
    expect(await between.getByLabel('From').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
    await between.getByLabel('To').fill('')
    await press('Enter')
    await expect.poll(() => callbacks.count()).toBe(2)
    await choose('Received', 'Last hour')
    await filter('Received: Last hour').waitFor()
    await save('The old quay at noon')
    await expect.poll(() => callbacks.count()).toBe(3)

    // Only one material, from the menu of a row.
    await tabOnto(page.getByRole('grid', { name: 'Callbacks' }))
    await press('Home')
    await press('Shift+F10')
    await chooseInMenu(page, 'Only this material')
    await filter('Material: stories/quay').waitFor()
    await close()

    // The filters are restored at the next start; views are there, and one can be deleted.
    const again = await start()
    const rows = inGrid(again.page, 'Callbacks')
    const filters = again.page.getByRole('group', { name: 'Filters' })
    await filters.getByRole('button', { name: 'Received: Last hour' }).waitFor()
    await filters.getByRole('button', { name: 'Views' }).click()
    await again.page.getByRole('menuitemcheckbox', { name: 'Not let in' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await filters.getByRole('button', { name: 'View: Not let in' }).click()
    await again.page.getByRole('menuitem', { name: 'Delete view “Not let in”' }).click()
    await filters.getByRole('button', { name: 'Views', exact: true }).waitFor()
    await again.close()
  },
)
