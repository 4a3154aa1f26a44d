import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, inGrid } from './support/app.ts'
import { answerDialogs } from './support/dialogs.ts'
import { chooseInMenu, tabOnto } from './support/keyboard.ts'
import { citySecret, secret, startCallbacks } from './support/two-sites.ts'

const isActive = (page: Page, place: number) => inGrid(page, 'Callbacks').nth(place).getAttribute('aria-selected')

test(
  'arrivals wait while a callback is read; a wrong signature is diagnosed, a report is copied, the log exported',
  { timeout: 90_000 },
  async () => {
    const { app, page, close, callbacks, save, forge, signed, emulator } = await startCallbacks()
    await callbacks.first().click()
    const verdict = page.getByRole('region', { name: 'What happened and what to do' })
    await verdict.getByText('stored as a new version').waitFor()

    // Arrivals are counted and shown on request; the open callback stays.
    await save('The old quay at dawn')
    const letIn = page.getByRole('button', { name: '1 new' })
    await letIn.waitFor()
    expect(await callbacks.count()).toBe(1)
    await letIn.click()
    await expect.poll(() => callbacks.count()).toBe(2)
    expect(await isActive(page, 1)).toBe('true')
    await letIn.waitFor({ state: 'detached' })

    // The body, with its signed parts marked.
    await page.getByRole('tab', { name: 'Request' }).click()
    const members = page.getByRole('tabpanel').getByRole('list', { name: 'Body' }).getByRole('listitem')
    expect(await members.nth(0).textContent()).toMatch(/^material_idsignedstories\/quay$/)
    expect(await members.nth(1).textContent()).toMatch(/^content_urlsigned/)
    expect(await members.nth(2).textContent()).toContain('not signed')
    expect(await page.getByRole('tabpanel').textContent()).not.toMatch(/[0-9a-f]{64}/)

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
    await close()
  },
)

test(
  'by keyboard alone: searched, replayed one by one and several at once, on to the version',
  { timeout: 90_000 },
  async () => {
    const { page, close, callbacks, save } = await startCallbacks()
    await save('The old quay at dusk')
    await expect.poll(() => callbacks.count()).toBe(2)
    const press = (key: string) => page.keyboard.press(key)
    const dialog = page.getByRole('dialog')
    const grid = page.getByRole('grid', { name: 'Callbacks' })

    await press('Control+f')
    await page.keyboard.type('nothing like this')
    await page.getByText('No callbacks match “nothing like this”.').waitFor()
    await press('Escape')
    await expect.poll(() => callbacks.count()).toBe(2)

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
    await page.getByText('2 selected').waitFor()
    await press('Shift+F10')
    await chooseInMenu(page, 'Replay')
    await dialog.getByText('Replay 2 callbacks?').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await press('Tab')
    await press('Enter')
    await dialog.getByText('No results changed.').waitFor()
    expect(await dialog.getByRole('row').count()).toBe(3)
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
  },
)
