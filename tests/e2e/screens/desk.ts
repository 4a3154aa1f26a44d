import type { Page } from 'playwright'

import { openDesk } from '../support/desk.ts'
import type { ScreenState } from './state.ts'

// Pages under review are views of their own, which these pictures leave out.

const leave = async (page: Page): Promise<void> => {
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: /^Materials/ })
    .click()
}

/** A list of the inbox: first of those in the menu is 0. */
const listed = (name: string, list: number): ScreenState => ({
  name,
  async show(page) {
    await openDesk(page)
    await chooseList(page, list)
  },
  async leave(page) {
    await chooseList(page, 0)
    await leave(page)
  },
})

async function chooseList(page: Page, list: number): Promise<void> {
  await page.getByRole('combobox', { name: /^(?:List|Список)$/ }).click()
  await page.getByRole('option').nth(list).click()
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
}

export const deskStates: readonly ScreenState[] = [
  { name: 'desk', show: openDesk, leave },
  { name: 'desk-wide', size: [1920, 1080], show: openDesk, leave },
  listed('desk-requested', 1),
  listed('desk-failed', 2),
  ...(['Comments', 'Checks', 'Text'] as const).map((tab) => ({
    name: `desk-${tab.toLowerCase()}`,
    async show(page: Page) {
      await openDesk(page)
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
      await page.getByRole('tabpanel', { name: new RegExp(`^${tab}`) }).waitFor()
    },
    async leave(page: Page) {
      await page.getByRole('tab', { name: 'Changes' }).click()
      await leave(page)
    },
  })),
  { name: 'desk-narrow', size: [900, 700], show: openDesk, leave },
  {
    name: 'desk-reason',
    async show(page) {
      await openDesk(page)
      await page.getByRole('button', { name: 'Request changes…' }).click()
      await page.getByLabel('What needs to change?').waitFor()
    },
    async leave(page) {
      await page.getByRole('button', { name: 'Cancel' }).click()
      await leave(page)
    },
  },
  {
    name: 'desk-clear',
    calls: {
      reviewQueue: {
        answers: {
          total: 0,
          counts: { new: 0, changed: 0, approved: 0, changes_requested: 0 },
          unchanged: 0,
          rows: [],
          failed: [],
        },
      },
    },
    async show(page) {
      await leave(page)
      await page.reload()
      await page
        .getByRole('navigation', { name: 'Sections' })
        .getByRole('button', { name: /^Review/ })
        .click()
      await page.getByText('All clear').waitFor()
    },
    async leave(page) {
      await leave(page)
      await page.reload()
    },
  },
]
