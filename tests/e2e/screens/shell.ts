import type { Page } from 'playwright'

import { goTo } from '../support/app.ts'
import { openDialog } from '../support/dialogs.ts'
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
      await page.getByRole('dialog').getByRole('button').nth(2).waitFor()
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
]
