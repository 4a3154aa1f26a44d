import type { Page } from 'playwright'

import { goToTab } from './app.ts'
import { openDialog } from './dialogs.ts'

/** Exports everything of the site in the window into the folder that the next dialog gives. */
export async function exportAll(page: Page): Promise<void> {
  await goToTab(page, 'Exports')
  await page.getByRole('button', { name: 'New export' }).first().click()
  await page.getByRole('button', { name: 'Choose…' }).click()
  await page.getByRole('button', { name: 'Show plan' }).click()
  await page.getByRole('dialog', { name: 'Export plan' }).getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('dialog', { name: 'Exported' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })
}
