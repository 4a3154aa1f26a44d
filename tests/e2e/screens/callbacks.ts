import type { Page } from 'playwright'

import { goTo, inGrid } from '../support/app.ts'
import { listStates, nothingFound } from './list-states.ts'
import type { ScreenState } from './state.ts'

async function showRow(page: Page, word: string, tab: string): Promise<void> {
  await goTo(page, 'Delivery')
  await inGrid(page, 'Callbacks').filter({ hasText: word }).first().click()
  await page.getByRole('tab', { name: tab }).click()
}

export const callbacksStates: readonly ScreenState[] = [
  { name: 'callbacks', show: (page) => showRow(page, 'Stored', 'Steps') },
  { name: 'callbacks-refused', show: (page) => showRow(page, 'Blocked by rule', 'Steps') },
  {
    name: 'callbacks-narrow',
    size: [900, 700],
    async show(page) {
      await goTo(page, 'Delivery')
      await inGrid(page, 'Callbacks').filter({ hasText: 'Blocked by rule' }).dblclick()
      await page.getByRole('tab', { name: 'Steps' }).click()
    },
  },
  {
    name: 'callbacks-narrow-list',
    size: [900, 700],
    async show(page) {
      await goTo(page, 'Delivery')
      if (await page.getByRole('tab', { name: 'Steps' }).isVisible()) await page.keyboard.press('Control+i')
    },
  },
  { name: 'callbacks-request', show: (page) => showRow(page, 'Stored', 'Request') },
  {
    name: 'callbacks-signature',
    async show(page) {
      await showRow(page, 'Stored', 'Signature')
      await page.getByText('This signature would be accepted.').waitFor()
    },
  },
  {
    name: 'callbacks-replay',
    async show(page) {
      await showRow(page, 'Blocked by rule', 'Replay')
      await page.getByRole('tabpanel').getByRole('button', { name: 'Dry run' }).click()
      await page.getByText('Same result').waitFor()
    },
  },
  {
    name: 'callbacks-selection',
    async show(page) {
      await showRow(page, 'Stored', 'Steps')
      await page.keyboard.press('Escape')
      await page.getByRole('grid', { name: 'Callbacks' }).focus()
      for (let rows = 0; rows < 3; rows += 1) await page.keyboard.press('Shift+ArrowDown')
      await page.getByText('4 selected').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Clear selection' }).click(),
  },
  {
    name: 'callbacks-replay-several',
    async show(page) {
      await showRow(page, 'Stored', 'Steps')
      await page.getByRole('grid', { name: 'Callbacks' }).focus()
      for (let rows = 0; rows < 3; rows += 1) await page.keyboard.press('Shift+ArrowDown')
      await page
        .getByRole('group', { name: 'Actions for the selection' })
        .getByRole('button', { name: 'Dry run' })
        .click()
      await page.getByRole('table').waitFor()
    },
    async leave(page) {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Clear selection' }).click()
    },
  },
  {
    name: 'callbacks-doctor',
    async show(page) {
      await showRow(page, 'Stored', 'Signature')
      await page.getByRole('tabpanel').getByRole('button', { name: 'Signature doctor…' }).click()
      await page.getByLabel('Signature', { exact: true }).last().fill('0A1B')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('This signature would be rejected.').waitFor()
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'callbacks-filter',
    async show(page) {
      await showRow(page, 'Stored', 'Steps')
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Outcome' }).click()
      await page.getByRole('menuitemcheckbox', { name: /^Stored \(/ }).waitFor()
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'callbacks-between',
    async show(page) {
      await goTo(page, 'Delivery')
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Received' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Between…' }).click()
      await page.getByRole('textbox', { name: 'From' }).fill('2026-11-20T09:00')
      await page.getByRole('textbox', { name: 'To', exact: true }).fill('2026-11-20T08:00')
      await page.getByText('The end must be after the start').waitFor()
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'callbacks-all-sites',
    async show(page) {
      await goTo(page, 'Delivery')
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Sites' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'All sites' }).click()
      await page.getByRole('columnheader', { name: 'Site' }).waitFor()
    },
    async leave(page) {
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'All sites' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'This site' }).click()
    },
  },
  {
    name: 'callbacks-detail-failed',
    calls: { inspectCallback: 'fails' },
    async show(page) {
      await goTo(page, 'Delivery')
      await inGrid(page, 'Callbacks').nth(4).click()
      await page.getByText('This callback could not be read').waitFor()
    },
  },
  nothingFound('Callbacks', 'No match'),
  ...listStates({
    section: 'Callbacks',
    query: 'queryCallbacks',
    rows: 7,
    isEmpty: 'No callbacks yet',
    isUnread: 'The callbacks could not be read',
  }),
]
