import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'

import { aFolder, goToTab, recordOpenedAddresses } from '../support/app.ts'
import { answerDialogs } from '../support/dialogs.ts'
import type { ScreenState } from './state.ts'

/** Shows a section of the design. */
export async function showDesign(page: Page, section: 'Theme' | 'Site' | 'Menu' | 'Code'): Promise<void> {
  await goToTab(page, 'Design')
  await page.getByRole('navigation', { name: 'Design' }).getByRole('button', { name: section, exact: true }).click()
  await page.getByRole('heading', { level: 2, name: section, exact: true }).waitFor()
}

/** Shows the preview, a separate view that is not part of pictures of the window. */
export async function showBeside(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show preview beside the form' }).click()
  await page.getByRole('button', { name: /^Site preview/ }).waitFor()
}

export const hideBeside = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Hide preview' }).last().click()

async function fillMenu(page: Page): Promise<void> {
  await showDesign(page, 'Menu')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await page.getByLabel('Label').fill('Weekend')
  await page.getByRole('combobox', { name: 'Page' }).fill('weekend')
  await page.getByRole('option', { name: /A weekend by the harbour/ }).waitFor()
}

export const designStates: readonly ScreenState[] = [
  {
    name: 'design-theme',
    show: (page) => showDesign(page, 'Theme').then(() => page.getByRole('img').first().waitFor()),
  },
  { name: 'design-theme-narrow', size: [900, 600], show: (page) => showDesign(page, 'Theme') },
  {
    name: 'design-settings',
    async show(page) {
      await showDesign(page, 'Theme')
      await page.getByRole('button', { name: 'Save' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'design-broken-theme',
    size: [1280, 1000],
    async show(page, { app }) {
      const folder = await aFolder()
      await writeFile(
        join(folder, 'page.html'),
        '<!doctype html>\n<main>{{ content }}</main>\n<p>{{ pgae.title }}</p>\n',
      )
      await answerDialogs(app, folder)
      await showDesign(page, 'Theme')
      await page.getByRole('button', { name: 'Choose a folder…' }).click()
      await page.getByText('page.html, line 3').waitFor()
    },
  },
  {
    name: 'design-preview',
    async show(page, { app }) {
      await recordOpenedAddresses(app)
      await showDesign(page, 'Theme')
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.getByText(/^The preview runs at/).waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Stop preview' }).click(),
  },
  {
    name: 'design-beside',
    async show(page) {
      await showDesign(page, 'Theme')
      await showBeside(page)
    },
    leave: hideBeside,
  },
  {
    name: 'design-beside-narrow',
    size: [800, 700],
    async show(page) {
      await showDesign(page, 'Site')
      await showBeside(page)
    },
    leave: hideBeside,
  },
  { name: 'design-site', show: (page) => showDesign(page, 'Site') },
  {
    name: 'design-site-wrong',
    async show(page) {
      await showDesign(page, 'Site')
      await page.getByLabel('Site address').fill('harbour')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Nothing was saved.').waitFor()
    },
    leave: (page) => page.getByLabel('Site address').fill(''),
  },
  { name: 'design-menu-empty', show: (page) => showDesign(page, 'Menu') },
  {
    name: 'design-menu',
    show: fillMenu,
    async leave(page) {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Remove Weekend' }).click()
    },
  },
  { name: 'design-code', show: (page) => showDesign(page, 'Code') },
]
