import type { Page } from 'playwright'

import { goTo } from '../support/app.ts'
import { openDialog } from '../support/dialogs.ts'
import { fromPalette } from '../support/palette.ts'
import { discard } from './settings.ts'
import type { ScreenState } from './state.ts'

const closeLayer = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })
}

export const shellStates: readonly ScreenState[] = [
  {
    name: 'palette',
    async show(page) {
      await goTo(page, 'Materials')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('har')
      await page.getByRole('option', { name: /^A weekend by the harbour/ }).waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'shortcuts',
    async show(page) {
      await page.keyboard.press('Control+/')
      await page.getByRole('dialog').waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'help',
    async show(page) {
      await page.keyboard.press('F1')
      await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'help-found',
    async show(page) {
      await page.keyboard.press('F1')
      await page.getByRole('dialog').getByLabel('Search the guide').fill('backup')
      await page.getByRole('dialog').getByRole('heading', { level: 3, name: 'Restore a backup' }).waitFor()
    },
    async leave(page) {
      // The first Escape clears the search.
      await page.keyboard.press('Escape')
      await closeLayer(page)
    },
  },
  {
    name: 'problem-report',
    async show(page) {
      await fromPalette(page, 'bug report', 'Report a problem')
      await page.getByRole('dialog').getByText('Chromium').waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'new-computer',
    async show(page) {
      await fromPalette(page, 'new computer', 'Move to a new computer')
      await page.getByRole('dialog').getByRole('tab', { name: 'This is the new computer' }).click()
      await page.getByRole('dialog').getByText('The secret is stored').first().waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'try-a-save',
    async show(page) {
      await fromPalette(page, 'try a save', 'Try a save')
      await page.getByRole('dialog').getByLabel('Material ID').waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'about',
    async show(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('Galley')
      await page
        .getByRole('option', { name: /Galley/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByText('Chromium').waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'add-site',
    async show(page) {
      await page.getByRole('button', { name: /^Site:/ }).click()
      await page.getByRole('menuitem', { name: 'Add site' }).click()
      await page.getByRole('dialog').waitFor()
    },
    leave: closeLayer,
  },
  {
    name: 'add-site-out-of-reach',
    async show(page) {
      await page.getByRole('button', { name: /^Site:/ }).click()
      await page.getByRole('menuitem', { name: 'Add site' }).click()
      await page.getByRole('dialog').getByLabel('Service URL').fill('https://editor.example.com/integration')
      await page.getByRole('dialog').getByText('How can the service reach this computer?').click()
      await page.getByRole('dialog').getByText('galley listen').waitFor()
    },
    leave: discard,
  },
]
