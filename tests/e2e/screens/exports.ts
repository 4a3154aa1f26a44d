import type { Page } from 'playwright'

import { goToTab, inGrid } from '../support/app.ts'
import type { ScreenState } from './state.ts'

async function showNewest(page: Page): Promise<void> {
  await goToTab(page, 'Exports')
  await inGrid(page, 'Exports').first().click()
  await page.getByText(/\d+ pages?$/).waitFor()
}

const close = (page: Page): Promise<void> => page.keyboard.press('Escape')

export const exportsStates: readonly ScreenState[] = [
  { name: 'exports', show: showNewest },
  {
    name: 'exports-new',
    async show(page) {
      await showNewest(page)
      await page.getByRole('button', { name: 'New export' }).click()
    },
    leave: close,
  },
  {
    name: 'exports-choose',
    async show(page) {
      await showNewest(page)
      await page.getByRole('button', { name: 'New export' }).click()
      await page.getByRole('dialog').getByRole('combobox', { name: 'Materials', exact: true }).click()
      await page.getByRole('option', { name: 'Selected materials and versions' }).click()
      await page.getByRole('checkbox', { name: 'A weekend by the harbour' }).click()
      await page.getByRole('combobox', { name: 'Version of A weekend by the harbour' }).scrollIntoViewIfNeeded()
    },
    leave: close,
  },
  {
    name: 'exports-plan',
    async show(page) {
      await showNewest(page)
      await page.getByRole('button', { name: 'Export again' }).click()
      await page.getByRole('button', { name: 'Show plan' }).click()
      await page.getByRole('dialog', { name: 'Export plan' }).waitFor()
    },
    leave: close,
  },
]
