import { goTo, inGrid } from '../support/app.ts'
import { listStates, nothingFound } from './list-states.ts'
import type { ScreenState } from './state.ts'

export const materialsStates: readonly ScreenState[] = [
  {
    name: 'materials',
    async show(page) {
      await goTo(page, 'Materials')
      await inGrid(page, 'Materials').filter({ hasText: 'A weekend by the harbour' }).click()
      await inGrid(page, 'Versions').nth(4).waitFor()
      await page.getByRole('tab', { name: 'Summary' }).click()
    },
  },
  {
    name: 'materials-narrow',
    size: [900, 600],
    show: (page) => goTo(page, 'Materials'),
  },
  {
    name: 'materials-search',
    async show(page) {
      await goTo(page, 'Materials')
      await page.getByRole('textbox', { name: 'Search materials' }).fill('harbour')
      await page.locator('mark').first().waitFor()
    },
    leave: (page) => page.getByRole('textbox', { name: 'Search materials' }).fill(''),
  },
  {
    name: 'materials-offline',
    isOffline: true,
    async show(page) {
      await goTo(page, 'Materials')
      await inGrid(page, 'Materials').filter({ hasText: 'At nine, the market' }).click()
      await page.getByText('Offline', { exact: true }).waitFor()
    },
  },
  {
    name: 'materials-selection',
    async show(page) {
      await goTo(page, 'Materials')
      const rows = inGrid(page, 'Materials')
      await rows.nth(0).click()
      await rows.nth(2).click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Clear selection' }).click(),
  },
  {
    name: 'materials-filter',
    async show(page) {
      await goTo(page, 'Materials')
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Status' }).click()
      await page.getByRole('menuitemcheckbox').first().waitFor()
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'materials-open-editor',
    async show(page) {
      await goTo(page, 'Materials')
      await inGrid(page, 'Materials').filter({ hasText: 'A weekend by the harbour' }).click()
      await page.keyboard.press('Control+Enter')
      const editor = page.getByRole('dialog').getByRole('textbox', { name: 'Metadata' })
      await editor.fill('{\n  "desk": "travel",\n  "api_token": "7f3a-91"\n}')
    },
    async leave(page) {
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
    },
  },
  nothingFound('Materials', 'No match'),
  ...listStates({
    section: 'Materials',
    query: 'queryMaterials',
    rows: 7,
    isEmpty: 'No materials yet',
    isUnread: 'The materials could not be read',
  }),
]
