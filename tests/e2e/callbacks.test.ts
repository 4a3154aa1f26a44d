import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, goTo, inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs } from './support/dialogs.ts'
import { drawnIn } from './support/drawn-text.ts'
import { chooseInMenu, tabOnto } from './support/keyboard.ts'
import { citySecret, secret, startCallbacks } from './support/two-sites.ts'

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

const isActive = (page: Page, place: number) => inGrid(page, 'Callbacks').nth(place).getAttribute('aria-selected')

test('arrivals wait while a callback is read; a wrong signature is diagnosed, a report is copied, the log exported; other sites', async () => {
  const { app, page, close, callbacks, save, forge, signed, emulator } = await startCallbacks()
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await callbacks.first().click()
  const verdict = page.getByRole('region', { name: 'What happened and what to do' })
  await verdict.getByText('stored as a new version').waitFor()

  // Arrivals are counted and shown on request; the open callback stays.
  await save('The old quay at dawn')
  const letIn = page.getByRole('button', { name: '1 new' })
  await letIn.waitFor()
  await expect.poll(() => callbacks.count()).toBe(1)
  await letIn.click()
  await expect.poll(() => callbacks.count()).toBe(2)
  await expect.poll(() => isActive(page, 1)).toBe('true')
  await letIn.waitFor({ state: 'detached' })

  // The body, with its signed parts marked.
  await page.getByRole('tab', { name: 'Request' }).click()
  const members = page.getByRole('tabpanel').getByRole('list', { name: 'Body' }).getByRole('listitem')
  await expect.poll(() => members.nth(0).textContent()).toMatch(/^material_idsignedstories\/quay$/)
  await expect.poll(() => members.nth(1).textContent()).toMatch(/^content_urlsigned/)
  await expect.poll(() => members.nth(2).textContent()).toContain('not signed')
  await expect.poll(() => page.getByRole('tabpanel').textContent()).not.toMatch(/[0-9a-f]{64}/)

  // A callback with the secret of the other site.
  const signature = signed(citySecret)
  expect((await forge(signature)).statusCode).toBe(400)
  await letIn.click()
  await callbacks.filter({ hasText: 'Rejected' }).click()
  await verdict.getByText('doesn’t match this site’s secret').waitFor()
  await verdict.getByRole('button', { name: 'Check signature' }).click()
  const findings = page.getByRole('region', { name: 'Findings' })
  await findings.getByText('signed with the secret of the site city').waitFor()
  await findings.getByText('would be rejected').waitFor()

  await page.getByRole('button', { name: 'Copy report' }).click()
  await page.getByText('Report copied').waitFor()
  const report = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(report).toContain('invalid_signature')
  expect(report).not.toContain(signature)
  expect(report).not.toContain(emulator.apiKey)

  // The values by hand, with spaces and in upper case.
  await page.getByRole('tabpanel').getByRole('button', { name: 'Signature doctor…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Signature').fill(` ${signed(secret).toUpperCase()}`)
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await dialog.getByText('It matches this site’s secret.').waitFor()
  await dialog.getByText('It is in upper case, but').waitFor()
  await dialog.getByText('There are spaces around it.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // A pause refuses now what was stored before; a dry run shows it and stores nothing.
  await callbacks.last().click()
  await verdict.getByText('stored as a new version').waitFor()
  await page.evaluate(() => window.galley.call('pauseSaves', { site: 'harbour', reason: 'Elections' }))
  const panel = page.getByRole('tabpanel')
  await page.getByRole('tab', { name: 'Replay' }).click()
  await panel.getByRole('button', { name: 'Dry run' }).click()
  await panel.getByRole('region').getByText('The result would be different.').waitFor()
  await panel.getByText('Saves are paused: Elections. Nothing was saved.').waitFor()
  const [then, now] = await Promise.all(
    ['Original', 'Dry run'].map((name) => panel.getByRole('heading', { name }).boundingBox()),
  )
  expect(then?.y).toBe(now?.y)
  expect(then?.x).toBeLessThan(now?.x ?? 0)
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Replay' }).click()
  await dialog.getByText('Replay 1 callback?').waitFor()
  await dialog.getByRole('button', { name: /^Replay/ }).click()
  await dialog.getByText('The result is different.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // The focus comes back when the dialog is gone, and would close a menu that is open by then.
  await expect.poll(() => panel.evaluate((within) => within.contains(document.activeElement))).toBe(true)
  await expect.poll(() => callbacks.count(), { message: 'neither run is a callback' }).toBe(3)
  await page.evaluate(() => window.galley.call('resumeSaves', { site: 'harbour' }))

  // The file contains the callbacks that match the filters.
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Outcome' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Rejected' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => callbacks.count()).toBe(1)
  const file = join(await aFolder(), 'log.csv')
  await answerDialogs(app, file)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export as CSV…' }).click()
  await page.getByText('1 callback exported').waitFor()
  const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(',rejected,')

  // A failed save of another site, whose archive the service does not have, is announced, and one click away.
  const health = sections.getByRole('button', { name: /^Delivery/ })
  await expect.poll(() => health.textContent()).toBe('Delivery')
  await goTo(page, 'Materials')
  await forge(signed(citySecret), 'city')
  const notice = page.getByText('1 other site needs attention: City.')
  await notice.waitFor()
  await expect.poll(() => health.textContent()).toBe('Delivery1 open problem')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open Delivery' }).click()
  await notice.waitFor({ state: 'detached' })
  const line = page.getByRole('listitem', { name: 'Failed saves of City', exact: true })
  await line.getByText('1 save wasn’t stored').waitFor()
  await line.getByRole('button', { name: 'Show callbacks' }).click()
  await page.getByRole('button', { name: /^Site: City/ }).waitFor()
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => callbacks.count()).toBe(1)
  // Looking at it is not enough: it is dismissed here, or saved again.
  await expect.poll(() => health.textContent()).toBe('Delivery1 open problem')
  await callbacks.first().click()
  await verdict.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => health.textContent()).toBe('Delivery')
  await close()
})

test('by keyboard alone: searched, replayed, on to the version; narrowed by outcome, time, site and material, kept as a view', async () => {
  const { page, close, start, callbacks, save, forge, signed } = await startCallbacks()
  await save('The old quay at dusk')
  await expect.poll(() => callbacks.count()).toBe(2)
  const press = (key: string) => page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  const grid = page.getByRole('grid', { name: 'Callbacks' })

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
  await expect.poll(() => callbacks.count()).toBe(3)

  // The summary of the day for this site, as text.
  const day = page.getByRole('img', { name: 'Callbacks per hour in the last 24 hours' })
  await expect.poll(() => day.getAttribute('aria-label')).toMatch(/3 callbacks\. 1 was not stored\. Busiest hour:/)

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
  await expect.poll(() => day.getAttribute('aria-label')).toContain('4 callbacks. 2 were not stored.')
  await expectAccessible(page)

  // The query is saved under a name.
  await choose('Views', 'Save as view…')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Not let in')
  await press('Enter')
  await filter('View: Not let in').waitFor()
  await focusOn(page, 'Clear filters')
  await press('Enter')
  await expect.poll(() => callbacks.count()).toBe(4)
  await choose('All sites', 'This site')
  await expect.poll(() => callbacks.count()).toBe(3)

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
  await expect.poll(() => between.getByLabel('From').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  await between.getByLabel('To').fill('')
  await press('Enter')
  await expect.poll(() => callbacks.count()).toBe(3)
  await choose('Received', 'Last hour')
  await filter('Received: Last hour').waitFor()
  await save('The old quay at noon')
  await expect.poll(() => callbacks.count()).toBe(4)

  // Only one material, from the menu of a row.
  await tabOnto(page.getByRole('grid', { name: 'Callbacks' }))
  await press('Home')
  await press('Shift+F10')
  await chooseInMenu(page, 'What does this mean?')
  const guide = page.getByRole('dialog', { name: 'Help' })
  await guide.getByRole('heading', { name: 'What a delivery can end as' }).waitFor()
  await press('Escape')
  await guide.waitFor({ state: 'detached' })
  await press('Shift+F10')
  await chooseInMenu(page, 'Only this material')
  await filter('Material: stories/quay').waitFor()

  // Searched, tried again, and followed to the version.
  await press('Control+f')
  await page.keyboard.type('nothing like this')
  await page.getByText(/^No callbacks match/).waitFor()
  await press('Escape')
  await expect.poll(() => callbacks.count()).toBe(4)

  // Into the list, and a dry run of the first.
  await tabOnto(grid)
  await press('Home')
  await expect.poll(() => isActive(page, 0)).toBe('true')
  await page.getByRole('tab', { name: 'Steps' }).waitFor()
  await press('Control+Shift+D')
  await dialog.getByText('Already stored').waitFor()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // All of them for real, from the menu of a row, which asks first.
  await tabOnto(grid)
  await press('Control+a')
  await page.getByText('4 selected').waitFor()
  await press('Shift+F10')
  await chooseInMenu(page, 'Replay')
  await dialog.getByText('Replay 4 callbacks?').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  await press('Tab')
  await press('Enter')
  await dialog.getByText('No results changed.').waitFor()
  await expect.poll(() => dialog.getByRole('row').count()).toBe(5)
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // F6 into the detail, and its version.
  await press('F6')
  const version = page.getByRole('tabpanel').getByRole('button', { name: /^[0-9a-f-]{36}$/ })
  await tabOnto(version)
  await press('Enter')
  await inGrid(page, 'Versions').nth(1).waitFor()
  await press('Alt+ArrowLeft')
  await expect.poll(() => isActive(page, 0)).toBe('true')
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
})
