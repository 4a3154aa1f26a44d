import type { Page } from 'playwright'

import { chooseInSwitcher, goToTab, inGrid } from '../support/app.ts'
import { hideBeside, showBeside } from './design.ts'
import type { ScreenState } from './state.ts'

const row = (page: Page, title: string) => inGrid(page, 'Pages').filter({ hasText: title })

async function showPages(page: Page): Promise<void> {
  await goToTab(page, 'Pages')
  await row(page, 'A weekend by the harbour').getByText('A weekend by the harbour').click()
  await page.getByRole('form', { name: 'Page settings' }).waitFor()
}

const close = (page: Page): Promise<void> => page.keyboard.press('Escape')

export const pagesStates: readonly ScreenState[] = [
  { name: 'pages', show: showPages },
  { name: 'pages-narrow', size: [900, 600], show: (page) => goToTab(page, 'Pages') },
  { name: 'pages-wide', size: [1680, 900], show: showPages },
  {
    name: 'pages-beside',
    size: [1680, 900],
    async show(page) {
      await showPages(page)
      await showBeside(page)
    },
    leave: hideBeside,
  },
  {
    name: 'pages-moved',
    async show(page) {
      await showPages(page)
      await page.getByLabel('Address', { exact: true }).fill('travel/weekend')
      await page.getByText('will redirect to the new one').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Discard changes' }).click(),
  },
  {
    name: 'pages-wrong',
    async show(page) {
      await showPages(page)
      await page.getByLabel('Address', { exact: true }).fill('tags')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Choose another one.').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Discard changes' }).click(),
  },
  {
    name: 'pages-more',
    async show(page) {
      await showPages(page)
      await page.getByLabel('Canonical address').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'pages-state-menu',
    async show(page) {
      await showPages(page)
      await row(page, 'At nine, the market')
        .getByRole('button', { name: /^Visibility of/ })
        .click()
      await page.getByRole('menu').waitFor()
    },
    leave: close,
  },
  {
    name: 'pages-selection',
    async show(page) {
      await showPages(page)
      await row(page, 'The lighthouse road')
        .getByText('The lighthouse road')
        .click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Clear selection' }).click(),
  },
  {
    name: 'pages-tags',
    async show(page) {
      await showPages(page)
      await page.keyboard.press('Control+Shift+l')
      await page.getByRole('dialog', { name: 'Edit tags for 1 page' }).waitFor()
    },
    leave: close,
  },
  // The list stays sorted, so states that rely on its default order come first.
  {
    name: 'pages-sorted',
    size: [1680, 900],
    async show(page) {
      await showPages(page)
      await page.getByRole('columnheader', { name: 'Title' }).getByRole('button', { name: 'Title' }).click()
      await page.locator('[aria-sort]').waitFor()
    },
  },
  {
    name: 'pages-no-match',
    async show(page) {
      await goToTab(page, 'Pages')
      await page.getByRole('textbox', { name: 'Search pages' }).fill('zeppelin')
      await page.getByText('No match').waitFor()
    },
    leave: (page) => page.getByRole('textbox', { name: 'Search pages' }).fill(''),
  },
  {
    name: 'pages-empty',
    async show(page) {
      await goToTab(page, 'Pages')
      await chooseInSwitcher(page, /City Letters/)
      await page.getByText('No pages yet').waitFor()
    },
    leave: (page) => chooseInSwitcher(page, /Harbour Weekly/),
  },
]
