import { join } from 'node:path'
import type { Page } from 'playwright'

import { aFolder, chooseInSwitcher, goToTab, inGrid } from '../support/app.ts'
import { lostPicture } from '../support/harbour-weekly.ts'
import { addFolderTarget, publishTo } from '../support/targets.ts'
import type { ScreenState } from './state.ts'

const close = (page: Page): Promise<void> => page.keyboard.press('Escape')

const inDetail = (page: Page, button: string | RegExp) =>
  page.getByRole('region', { name: 'live', exact: true }).getByRole('button', { name: button }).first()

async function showLive(page: Page): Promise<void> {
  await goToTab(page, 'Targets')
  await inGrid(page, 'Targets').filter({ hasText: 'live' }).first().click()
  await page.getByText('Online', { exact: true }).waitFor()
}

async function changeState(page: Page, state: 'draft' | 'published'): Promise<void> {
  await page.evaluate(
    (state) =>
      window.galley.call('savePageSettings', {
        site: 'harbour',
        materialIds: ['culture/boat-names'],
        changes: { state },
      }),
    state,
  )
}

async function movePage(page: Page, slug: string): Promise<void> {
  await page.evaluate(
    (slug) =>
      window.galley.call('savePageSettings', {
        site: 'harbour',
        materialIds: ['food/market-at-nine'],
        changes: { slug },
      }),
    slug,
  )
}

/** Two pages use a social image from their first draft that the published versions no longer contain. */
async function loseImages(page: Page): Promise<void> {
  await page.evaluate(async ({ name, of }) => {
    for (const materialId of of) {
      const { rows } = await window.galley.call('queryVersions', { site: 'harbour', materialId, offset: 0, limit: 9 })
      const first = rows.find(({ number }) => number === 1)?.versionId ?? 'latest'
      for (const changes of [{ version: first }, { socialImage: name }, { version: 'latest' }] as const) {
        const saved = await window.galley.call('savePageSettings', {
          site: 'harbour',
          materialIds: [materialId],
          changes,
        })
        if (!saved.ok) throw new Error(saved.failure.code)
      }
    }
  }, lostPicture)
}

/** In this order: `publish-targets` brings the targets that those after it show. */
export const publishStates: readonly ScreenState[] = [
  {
    name: 'publish-empty',
    async show(page) {
      await goToTab(page, 'Targets')
      await chooseInSwitcher(page, /City Letters/)
      await page.getByText('Nowhere to publish yet').waitFor()
    },
    leave: (page) => chooseInSwitcher(page, /Harbour Weekly/),
  },
  {
    name: 'publish-targets',
    async show(page, { app }) {
      await goToTab(page, 'Targets')
      const isThere = await page.evaluate(() => window.galley.call('listTargets', { site: 'harbour' }))
      if (isThere.ok && isThere.value.length === 0) {
        const folder = await aFolder()
        await addFolderTarget(app, page, 'live', join(folder, 'live'))
        await addFolderTarget(app, page, 'staging', join(folder, 'staging'))
        await publishTo(page, 'live')
        await changeState(page, 'draft')
        await publishTo(page, 'live')
        await changeState(page, 'published')
      }
      await showLive(page)
    },
  },
  {
    name: 'publish-history',
    size: [1280, 1000],
    async show(page) {
      await showLive(page)
      const changed = page.getByText('What changed', { exact: true }).first()
      await changed.click()
      await page.getByText('Removed', { exact: true }).waitFor()
    },
    leave: (page) => page.getByText('What changed', { exact: true }).first().click(),
  },
  {
    name: 'publish-moved',
    async show(page) {
      await showLive(page)
      await movePage(page, 'market')
      await inDetail(page, 'Publish…').click()
      await page.getByText(/^Moved from/).waitFor()
    },
    async leave(page) {
      await close(page)
      await movePage(page, 'at-nine-the-market')
    },
  },
  {
    name: 'publish-targets-narrow',
    size: [900, 640],
    async show(page) {
      await goToTab(page, 'Targets')
      await inGrid(page, 'Targets').first().waitFor()
    },
  },
  {
    name: 'publish-new-target',
    async show(page) {
      await showLive(page)
      await page.getByRole('button', { name: 'New target' }).click()
      await page.getByRole('dialog', { name: 'New target' }).waitFor()
    },
    leave: close,
  },
  {
    name: 'publish-new-bucket',
    async show(page) {
      await showLive(page)
      await page.getByRole('button', { name: 'New target' }).click()
      await page.getByRole('combobox', { name: 'Kind' }).click()
      await page.getByRole('option', { name: 'S3 bucket' }).click()
      await page.getByLabel('Secret key').waitFor()
    },
    async leave(page) {
      await close(page)
      await page.getByRole('button', { name: 'Discard' }).click()
    },
  },
  {
    name: 'publish-plan',
    async show(page) {
      await showLive(page)
      await inDetail(page, 'Publish…').click()
      await page
        .getByRole('dialog', { name: 'Publish to live' })
        .getByText(/change/)
        .first()
        .waitFor()
    },
    leave: close,
  },
  {
    name: 'publish-lost-images',
    size: [1280, 1000],
    async show(page) {
      await showLive(page)
      await loseImages(page)
      await inDetail(page, 'Publish…').click()
      await page.getByText('2 pages to check').waitFor()
    },
    async leave(page) {
      await close(page)
      await page.evaluate(
        (materialIds) =>
          window.galley.call('savePageSettings', { site: 'harbour', materialIds, changes: { socialImage: null } }),
        lostPicture.of,
      )
    },
  },
  {
    name: 'publish-check',
    async show(page) {
      await showLive(page)
      await inDetail(page, 'Check').click()
      await page.getByText('Everything works.').waitFor()
    },
    leave: close,
  },
  {
    name: 'publish-roll-back',
    async show(page) {
      await showLive(page)
      await inDetail(page, /^Roll back to/).click()
      await page.getByText('It had 6 pages.').waitFor()
    },
    leave: close,
  },
]
