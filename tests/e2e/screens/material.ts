import type { Page } from 'playwright'

import { goTo, inGrid } from '../support/app.ts'
import type { Disturbed } from '../support/calls.ts'
import type { ScreenState } from './state.ts'

const weekend = 'A weekend by the harbour'

async function open(page: Page, title: string): Promise<void> {
  await goTo(page, 'Materials')
  await inGrid(page, 'Materials').filter({ hasText: title }).dblclick()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

async function openStory(page: Page): Promise<void> {
  await open(page, weekend)
  await inGrid(page, 'Versions').nth(1).click()
}

async function openTab(page: Page, name: string): Promise<void> {
  await openStory(page)
  await page.getByRole('tab', { name }).click()
}

/** Goes back to the list, where the other states of Materials begin. */
const leaveFrom = (title: string) => (page: Page) =>
  page.getByRole('region', { name: title }).getByRole('button', { name: 'Materials' }).click()
const leave = leaveFrom(weekend)

/** A material while its versions load. No other state opens this one, so its versions are not cached. */
const unread = (name: string, calls: Disturbed, title: string, isTold: (page: Page) => Promise<void>): ScreenState => ({
  name,
  calls,
  async show(page) {
    await open(page, title)
    await isTold(page)
  },
  async leave(page) {
    await leaveFrom(title)(page)
    await inGrid(page, 'Materials').filter({ hasText: weekend }).click()
    await inGrid(page, 'Versions').nth(4).waitFor()
  },
})

export const materialStates: readonly ScreenState[] = [
  { name: 'material', show: (page) => openTab(page, 'Summary'), leave },
  { name: 'material-media', show: (page) => openTab(page, 'Media'), leave },
  {
    name: 'material-state',
    async show(page) {
      await openTab(page, 'State')
      await page.getByRole('button', { name: /^blocks/ }).click()
      await page.getByRole('button', { name: /^0/ }).click()
      await page.getByText('heading').waitFor()
    },
    leave,
  },
  {
    name: 'material-narrow',
    size: [900, 600],
    show: openStory,
    leave,
  },
  unread('material-empty', {}, 'Tide tables for November', (page) => page.getByText('No versions yet.').waitFor()),
  unread('material-loading', { queryVersions: 'waits' }, 'The last net makers of Pier 4', (page) =>
    page.getByRole('region', { name: 'The last net makers' }).getByRole('status', { name: 'Loading' }).waitFor(),
  ),
  unread('material-failed', { queryVersions: 'fails' }, 'Bread that is still warm', (page) =>
    page.getByText('The versions could not be read.').waitFor(),
  ),
  unread('material-version-failed', { inspectVersion: 'fails' }, 'Why boats are called Klara', (page) =>
    page.getByText('This version could not be read.').waitFor(),
  ),
]
