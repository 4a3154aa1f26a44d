import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { showDesign } from './screens/design.ts'
import { aFolder, goTo, goToTab, inGrid } from './support/app.ts'
import { answerDialogs, openDialog } from './support/dialogs.ts'
import { exportAll } from './support/export-all.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { tabOnto } from './support/keyboard.ts'
import { choose } from './support/settings.ts'

const row = (page: Page, title: string) => inGrid(page, 'Pages').filter({ hasText: title })
const select = (page: Page, title: string, modifiers: readonly ('Shift' | 'Control')[] = []) =>
  row(page, title)
    .getByText(title)
    .click({ modifiers: [...modifiers] })
const form = (page: Page) => page.getByRole('form', { name: 'Page settings' })

const saved = (page: Page) => page.getByText('Saved. It takes effect with the next publication.').waitFor()

test('pages: changed together and narrowed, sorted, dated in the zone of the site, moved and hidden; readers get all of it', async () => {
  const { app, page, close } = await startHarbourWeekly()
  const target = join(await aFolder(), 'site')
  await answerDialogs(app, target)

  // Several pages change together, and the list is found and narrowed.
  await goToTab(page, 'Pages')
  await select(page, 'A weekend by the harbour')
  await select(page, 'The lighthouse road', ['Shift'])
  await page.getByRole('button', { name: 'Set visibility' }).click()
  await page.getByRole('menuitem', { name: 'Draft' }).click()
  await page.getByText('3 pages changed').waitFor()
  await expect.poll(() => inGrid(page, 'Pages').getByText('Draft').count()).toBe(3)
  await page.getByRole('button', { name: 'Language…' }).click()
  await page.getByRole('dialog', { name: 'Language of 3 pages' }).getByLabel('Language').fill('ar')
  await page.getByText('Arabic, right to left').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Language of 3 pages' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect.poll(() => form(page).getByLabel('Language').inputValue()).toBe('ar')

  // Undoes both changes, the last one first. Each page gets its previous values back.
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect.poll(() => undo.count()).toBe(2)
  await undo.first().click()
  await expect.poll(() => form(page).getByLabel('Language').inputValue()).toBe('')
  await expect.poll(() => inGrid(page, 'Pages').getByText('Draft').count()).toBe(3)
  await page.getByText('Change undone for 3 pages').waitFor()
  await undo.first().click()
  await expect.poll(() => inGrid(page, 'Pages').getByText('Draft').count()).toBe(0)
  await select(page, 'A weekend by the harbour')
  await select(page, 'The lighthouse road', ['Shift'])
  await page.getByRole('button', { name: 'Set visibility' }).click()
  await page.getByRole('menuitem', { name: 'Draft' }).click()
  await expect.poll(() => inGrid(page, 'Pages').getByText('Draft').count()).toBe(3)
  await page.getByRole('button', { name: 'Clear selection' }).click()

  await page.getByRole('button', { name: 'Visibility', exact: true }).and(page.locator('[aria-haspopup]')).click()
  await page.getByRole('menuitemcheckbox', { name: 'Included' }).click()
  await expect.poll(() => inGrid(page, 'Pages').count()).toBe(3)
  await page.getByRole('textbox', { name: 'Search pages' }).fill('bread')
  await expect.poll(() => inGrid(page, 'Pages').count()).toBe(1)
  await page.getByRole('textbox', { name: 'Search pages' }).fill('')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => inGrid(page, 'Pages').count()).toBe(6)
  await page.evaluate(
    (materialIds) =>
      window.galley.call('savePageSettings', { site: 'harbour', materialIds, changes: { state: 'published' } }),
    ['travel/harbour-weekend', 'food/market-at-nine', 'travel/lighthouse-road'],
  )
  await expect.poll(() => inGrid(page, 'Pages').getByText('Draft').count()).toBe(0)

  // Sorted by a click on a column and by its keys, and it stays sorted.
  const grid = page.getByRole('grid', { name: 'Pages' })
  const titles = async (): Promise<readonly string[]> =>
    (await inGrid(page, 'Pages').allTextContents()).map((text) => text.slice(0, 6))
  const column = (name: string) => grid.getByRole('columnheader', { name })
  await expect.poll(async () => (await titles()).length).toBe(6)
  const byTitle = (await titles()).toSorted()
  await column('Title').getByRole('button', { name: 'Title' }).click()
  await expect.poll(titles).toEqual(byTitle)
  await expect.poll(() => column('Title').getAttribute('aria-sort')).toBe('ascending')
  await column('Title').getByRole('button', { name: 'Title' }).click()
  await expect.poll(titles).toEqual(byTitle.toReversed())

  // By keyboard: from the first row up to the headers, across, and down again.
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => column('Title').getAttribute('aria-sort')).toBe('ascending')
  for (let at = 0; at < 2; at++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => column('Visibility').getAttribute('aria-sort')).toBe('ascending')

  // Shows separate columns for values that share a line.
  await grid.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Address' }).click()
  await page.keyboard.press('Escape')
  await column('Address').getByRole('button', { name: 'Address' }).click()
  await expect.poll(() => column('Address').getAttribute('aria-sort')).toBe('ascending')
  await goToTab(page, 'Design')
  await goToTab(page, 'Pages')
  await expect.poll(() => column('Address').getAttribute('aria-sort')).toBe('ascending')

  // Forms show times in the zone of the site, which the schedule names, and pages have its days.
  await showDesign(page, 'Site')
  await choose(page, 'Time zone', 'America/New_York')
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page)

  await goToTab(page, 'Pages')
  await inGrid(page, 'Pages').getByText('At nine, the market').click()
  const settings = form(page)
  await settings.getByText('Times are in the site’s time zone, America/New_York.').waitFor()
  await settings.getByLabel('Publication date', { exact: true }).fill('2026-05-01T20:30')
  await settings.getByLabel('Not before').fill('2099-01-02T21:00')
  await choose(page, 'Update shown to readers', 'At a chosen time')
  await settings.getByLabel('Updated', { exact: true }).fill('2026-05-03T23:00')
  await settings.getByRole('button', { name: 'Save' }).click()
  await saved(page)
  await page.getByText(/^Left out until (?:Jan 2|2 Jan),? 2099/).waitFor()
  await settings.getByLabel('Not before').fill('')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Left out until/).waitFor({ state: 'detached' })
  await expect
    .poll(() => settings.getByLabel('Publication date', { exact: true }).inputValue())
    .toBe('2026-05-01T20:30')
  expect(
    await page.evaluate(async () => {
      const answer = await window.galley.call('pageSettings', { site: 'harbour', materialId: 'food/market-at-nine' })
      return answer.ok ? [answer.value.settings.published, answer.value.settings.updated] : []
    }),
  ).toEqual(['2026-05-02T00:30:00.000Z', '2026-05-04T03:00:00.000Z'])

  await goToTab(page, 'Targets')
  await page.getByRole('button', { name: 'New target' }).last().click()
  await page.getByText('Time in America/New_York, the site’s time zone.').waitFor()
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })

  // From the material's menu to its page.
  await goTo(page, 'Materials')
  await inGrid(page, 'Materials').filter({ hasText: 'At nine, the market' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Page settings' }).click()
  const address = form(page).getByLabel('Address', { exact: true })
  await expect.poll(() => address.inputValue()).toBe('at-nine-the-market')

  // Invalid addresses and those of other pages are refused at their field; nothing is saved.
  const save = form(page).getByRole('button', { name: 'Save' })
  for (const [typed, said] of [
    ['search', 'Choose another one.'],
    ['a-weekend-by-the-harbour', 'belongs to “A weekend by the harbour”'],
  ] as const) {
    await address.fill(typed)
    await save.click()
    await form(page).getByRole('alert').filter({ hasText: said }).waitFor()
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
  }
  await address.fill('Food/Market')
  await page.getByText('The old address /at-nine-the-market/ will redirect to the new one.').waitFor()
  await page.getByText('/food/market/', { exact: true }).waitFor()
  await save.click()
  await page.getByText('Saved. It takes effect with the next publication.').waitFor()
  await row(page, 'At nine, the market').getByText('/food/market/').waitFor()
  await expect.poll(() => form(page).getByLabel('Redirects from').inputValue()).toBe('at-nine-the-market')

  // Changes the state in the row by mouse.
  await row(page, 'Why boats')
    .getByRole('button', { name: /^Visibility of/ })
    .click()
  await page.getByRole('menuitemcheckbox', { name: /^Hidden/ }).click()
  await row(page, 'Why boats').getByText('Hidden').waitFor()
  await page.getByText('at its address, but in no list.').waitFor()

  // Tags and state by keyboard alone.
  await select(page, 'The last net makers')
  await page.keyboard.press('Control+Shift+l')
  await page.getByRole('dialog', { name: 'Edit tags for 1 page' }).waitFor()
  await page.keyboard.type('People, Pier 4')
  await page.keyboard.press('Enter')
  await expect.poll(() => form(page).getByLabel('Tags', { exact: true }).inputValue()).toMatch(/Pier 4/)
  await tabOnto(page.getByRole('grid', { name: 'Pages' }))
  await page.keyboard.press('Control+Shift+u')
  await row(page, 'The last net makers').getByText('Draft').waitFor()
  await page.getByText('The next publication leaves the page out.').waitFor()

  // Unsaved input stays while another page is shown.
  await form(page).getByLabel('Author').fill('Ada Fischer')
  await select(page, 'Bread that is still warm')
  await expect.poll(() => form(page).getByLabel('Author').inputValue()).toBe('')
  await select(page, 'The last net makers')
  await expect.poll(() => form(page).getByLabel('Author').inputValue()).toBe('Ada Fischer')
  await page.getByRole('button', { name: 'Discard changes' }).click()

  await exportAll(page)
  expect(await readFile(join(target, '_redirects'), 'utf8')).toContain('/at-nine-the-market/ ')
  const market = await readFile(join(target, 'food/market/index.html'), 'utf8')
  for (const text of ['At nine, the market', 'May 1, 2026', 'May 3, 2026']) expect(market).toContain(text)
  const home = await readFile(join(target, 'index.html'), 'utf8')
  expect(home).not.toContain('Why boats')
  expect(home).not.toContain('The last net makers')
  await close()
})
