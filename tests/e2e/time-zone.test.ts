import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { showDesign } from './screens/design.ts'
import { aFolder, goToTab, inGrid } from './support/app.ts'
import { answerDialogs } from './support/dialogs.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { choose } from './support/settings.ts'

const saved = (page: Page) => page.getByText('Saved. It takes effect with the next publication.').waitFor()

test(
  'forms show times in the zone of the site, which the schedule names, and pages have its days',
  { timeout: 120_000 },
  async () => {
    const { app, page, close } = await startHarbourWeekly()
    const target = join(await aFolder(), 'site')
    await answerDialogs(app, target)
    await showDesign(page, 'Site')
    await choose(page, 'Time zone', 'America/New_York')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)

    await goToTab(page, 'Pages')
    await inGrid(page, 'Pages').getByText('At nine, the market').click()
    const form = page.getByRole('form', { name: 'Page settings' })
    await form.getByText('Times are in the site’s time zone, America/New_York.').waitFor()
    await form.getByLabel('Publication date', { exact: true }).fill('2026-05-01T20:30')
    await form.getByLabel('Not before').fill('2099-01-02T21:00')
    await choose(page, 'Update shown to readers', 'At a chosen time')
    await form.getByLabel('Updated', { exact: true }).fill('2026-05-03T23:00')
    await form.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    await page.getByText(/^Left out until (?:Jan 2|2 Jan),? 2099/).waitFor()
    await form.getByLabel('Not before').fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Left out until/).waitFor({ state: 'detached' })
    expect(await form.getByLabel('Publication date', { exact: true }).inputValue()).toBe('2026-05-01T20:30')
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

    await goToTab(page, 'Exports')
    await page.getByRole('button', { name: 'New export' }).first().click()
    await page.getByRole('button', { name: 'Choose…' }).click()
    await page.getByRole('button', { name: 'Show plan' }).click()
    await page.getByRole('dialog', { name: 'Export plan' }).getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('dialog', { name: 'Exported' }).waitFor()
    const html = await readFile(join(target, 'at-nine-the-market/index.html'), 'utf8')
    expect(html).toContain('May 1, 2026')
    expect(html).toContain('May 3, 2026')
    await close()
  },
)
