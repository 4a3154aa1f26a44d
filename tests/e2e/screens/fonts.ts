import type { Page } from 'playwright'

import { goTo, inGrid } from '../support/app.ts'
import { listStates } from './list-states.ts'
import type { ScreenState } from './state.ts'

async function showTab(page: Page, name: string): Promise<void> {
  await goTo(page, 'Fonts')
  await inGrid(page, 'Fonts').first().click()
  await page.getByRole('tab', { name }).click()
}

export const fontsStates: readonly ScreenState[] = [
  {
    name: 'fonts',
    async show(page) {
      await showTab(page, 'Specimens')
      await page.locator('[style*="font-family"]').first().waitFor()
    },
  },
  { name: 'fonts-files', show: (page) => showTab(page, 'Files') },
  {
    name: 'fonts-usage',
    async show(page) {
      await showTab(page, 'Usage')
      await page.getByText(/current pages? analysed/).waitFor()
    },
  },
  {
    name: 'fonts-differences',
    async show(page) {
      await showTab(page, 'Differences')
      await page.getByText('1 file added').waitFor()
    },
  },
  {
    name: 'fonts-set-failed',
    calls: { inspectSnapshot: 'fails' },
    async show(page) {
      await goTo(page, 'Fonts')
      await inGrid(page, 'Fonts').last().click()
      await page.getByText('This font set could not be read.').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Try again' }).click(),
  },
  ...listStates({
    section: 'Fonts',
    query: 'querySnapshots',
    rows: 2,
    isEmpty: 'No font sets yet',
    isUnread: 'The font sets could not be read.',
  }),
]
