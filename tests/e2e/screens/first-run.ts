import type { Page } from 'playwright'

import { fail } from '../../../packages/wire/result.ts'
import { goTo } from '../support/app.ts'
import { discard } from './settings.ts'
import type { ScreenState } from './state.ts'

async function goToStep(page: Page, name: string): Promise<void> {
  // The first run replaces the materials.
  await goTo(page, 'Materials')
  await page.getByRole('list', { name: /^Step/ }).getByRole('button', { name }).click()
}

/** The result for the folder stays until the page is reloaded. */
const forget = async (page: Page): Promise<void> => void (await page.reload())

export const firstRunStates: readonly ScreenState[] = [
  {
    name: 'first-run',
    isEmptyLibrary: true,
    async show(page) {
      await goToStep(page, 'Keychain')
      await page.getByRole('button', { name: 'Test keychain' }).click()
      await page
        .getByRole('main')
        .getByText(/keychain works|Secrets come/)
        .waitFor()
    },
  },
  {
    name: 'first-run-listener',
    isEmptyLibrary: true,
    size: [900, 600],
    async show(page) {
      await goToStep(page, 'Listener')
      await page.getByText('Listening at').waitFor()
    },
  },
  {
    name: 'first-run-no-keychain',
    isEmptyLibrary: true,
    calls: { probeKeychain: { answers: 'unavailable' } },
    async show(page) {
      await goToStep(page, 'Keychain')
      await page.getByRole('button', { name: 'Test keychain' }).click()
      await page.getByText('No keychain was found.').waitFor()
    },
  },
  {
    name: 'first-run-library',
    isEmptyLibrary: true,
    async show(page) {
      await goToStep(page, 'Library')
      await page.getByText(/ free of /).waitFor()
    },
  },
  {
    name: 'first-run-library-refused',
    isEmptyLibrary: true,
    calls: { chooseLibraryFolder: { answers: fail({ code: 'folder_unusable' }) } },
    async show(page) {
      await goToStep(page, 'Library')
      await page.getByText(/ free of /).waitFor()
      await page.getByRole('button', { name: 'Choose another folder…' }).click()
      await page.getByText('Galley can’t write to this folder.').waitFor()
    },
    leave: forget,
  },
  {
    name: 'first-run-library-failed',
    isEmptyLibrary: true,
    calls: { readHealth: 'fails' },
    async show(page) {
      await goToStep(page, 'Library')
      await page.getByRole('button', { name: 'Test folder' }).click()
      await page.getByText('The library folder could not be read.').waitFor()
    },
    leave: forget,
  },
  {
    name: 'first-run-site',
    isEmptyLibrary: true,
    show: (page) => goToStep(page, 'Site'),
  },
  {
    name: 'first-run-site-wrong',
    isEmptyLibrary: true,
    async show(page) {
      await goToStep(page, 'Site')
      await page.getByRole('main').getByRole('button', { name: 'Add site' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Site ID').fill('harbour')
      await dialog.getByLabel('Name', { exact: true }).fill('Harbour Weekly')
      await dialog.getByLabel('Service URL').fill('not an address')
      await dialog.getByRole('button', { name: 'Add site' }).click()
      await dialog.getByText('Enter an http or https URL').first().waitFor()
    },
    leave: discard,
  },
  {
    name: 'first-run-port-taken',
    isEmptyLibrary: true,
    calls: { listenerState: { answers: { kind: 'failed', code: 'EADDRINUSE', port: 8787 } } },
    async show(page) {
      await goToStep(page, 'Listener')
      await page.keyboard.press('Control+r')
      await page.getByRole('button', { name: 'Choose another port' }).waitFor()
    },
    async leave(page) {
      await page.keyboard.press('Control+r')
      await page.getByText('Listening at').waitFor()
    },
  },
  {
    name: 'first-run-session',
    isEmptyLibrary: true,
    show: (page) => goToStep(page, 'First session'),
  },
]
