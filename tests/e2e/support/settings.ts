import type { Page } from 'playwright'

import { goTo } from './app.ts'

/** Shows a section of the settings. */
export async function showSection(page: Page, name: string): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name, exact: true }).click()
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
}

/** Selects an option. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}
