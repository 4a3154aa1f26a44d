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

/** Comments on an earlier version. */
async function comment(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const material = { site: 'harbour', materialId: 'travel/harbour-weekend' }
    const { rows } = await window.galley.call('queryVersions', { ...material, offset: 0, limit: 10 })
    const versionId = rows[2]?.versionId ?? ''
    const known = await window.galley.call('listComments', { ...material, versionId })
    if (known.ok && known.value.length > 0) return
    for (const [exact, text] of [
      ['A weekend by the harbour', 'Is this still the headline? The front page says “two days”.'],
      ['Draft 3', 'Please take the word out before it goes online.'],
    ] as const)
      await window.galley.call('addComment', {
        ...material,
        versionId,
        selection: { kind: 'text', exact, prefix: '', suffix: '', near: null },
        text,
      })
  })
}

export const materialStates: readonly ScreenState[] = [
  { name: 'material', show: (page) => openTab(page, 'Summary'), leave },
  { name: 'material-media', show: (page) => openTab(page, 'Media'), leave },
  {
    name: 'material-lightbox',
    async show(page) {
      await openTab(page, 'Media')
      await page
        .getByRole('button', { name: /^Show .*svg/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('region').first().waitFor()
    },
    async leave(page) {
      await page.keyboard.press('Escape')
      await leave(page)
    },
  },
  {
    name: 'material-comments',
    async show(page) {
      await comment(page)
      await openTab(page, 'Comments')
      await page.getByRole('article').first().waitFor()
    },
    leave,
  },
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
