import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright'
import { expect, test } from 'vitest'

import { readWithYauzl } from '../support/unzip.ts'
import { aFolder, inGrid } from './support/app.ts'
import { disturbCalls } from './support/calls.ts'
import { answerDialogs, recordShownInFolder } from './support/dialogs.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { tabOnto } from './support/keyboard.ts'

/** Opens a select and chooses its last option, by keyboard. */
async function takeLast(choice: Locator, option: string | RegExp): Promise<void> {
  const page = choice.page()
  await tabOnto(choice)
  await page.keyboard.press('Enter')
  const last = page.getByRole('option').last()
  // A list that is still opening handles no keys.
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return last.getAttribute('data-highlighted')
    })
    .not.toBeNull()
  await page.keyboard.press('Enter')
  await last.waitFor({ state: 'detached' })
  await expect.poll(() => choice.textContent()).toMatch(option)
}

test('an export by keyboard alone, from a material to its folder', { timeout: 90_000 }, async () => {
  const { app, page, close } = await startHarbourWeekly()
  const { keyboard } = page
  const target = join(await aFolder(), 'site.zip')
  await answerDialogs(app, target)
  const shownInFolder = await recordShownInFolder(app)
  const dialog = page.getByRole('dialog', { name: 'New export' })

  await keyboard.press('Control+e')
  // The site was exported to a folder before, and never to a ZIP.
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toMatch(/harbour-weekly$/)
  await takeLast(dialog.getByRole('combobox', { name: 'Format' }), 'ZIP file')
  await dialog.getByText('Choose a destination.').waitFor()
  await tabOnto(dialog.getByRole('button', { name: 'Choose…' }))
  await keyboard.press('Enter')
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toBe(target)

  // One material of all, in its first version.
  await takeLast(dialog.getByRole('combobox', { name: 'Materials' }), 'Selected materials and versions')
  await dialog.getByText('Select at least one material.').waitFor()
  await tabOnto(dialog.getByLabel('Find materials'))
  await keyboard.type('no such words')
  await dialog.getByText('No saved materials match “no such words”.').waitFor()
  await keyboard.press('Escape')
  await expect
    .poll(() => dialog.getByRole('list', { name: 'Matching materials' }).getByRole('checkbox').count())
    .toBe(6)

  // An unreadable part is reported and read again; long lists show that they are truncated.
  let restore = await disturbCalls(app, { queryMaterials: 'fails' })
  await keyboard.type('weekend')
  await dialog.getByText('The materials could not be read.').waitFor()
  await restore()
  restore = await disturbCalls(app, {
    queryMaterials: { over: { total: 120 } },
    queryVersions: { over: { total: 240 } },
  })
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('Showing the first 1 of 120.').waitFor()
  const weekend = dialog.getByRole('checkbox', { name: 'A weekend by the harbour' })
  await weekend.click()
  await dialog.getByText(/^Showing the newest \d+ of 240 versions/).waitFor()
  await weekend.click()
  await restore()
  const box = await dialog.getByRole('search').boundingBox()
  expect(box?.height, 'the search field is as high as its line').toBeLessThan(40)
  await tabOnto(dialog.getByRole('checkbox', { name: 'A weekend by the harbour' }))
  await keyboard.press('Space')
  const versions = dialog.getByRole('combobox', { name: 'Version of A weekend by the harbour' })
  await expect.poll(() => versions.textContent()).toBe('Newest outgoing version')
  await takeLast(versions, /\d/)
  await tabOnto(dialog.getByRole('button', { name: 'Show plan' }))
  await keyboard.press('Enter')

  // Each step moves the focus to the next control.
  const focused = async (name: string): Promise<void> => {
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
  }
  await page
    .getByRole('dialog', { name: 'Export plan' })
    .getByText(/^1 page, \d+ files, /)
    .waitFor()
  await focused('Export')
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Exported' }).waitFor()
  await focused('Open folder')
  await keyboard.press('Enter')
  await expect.poll(shownInFolder).toBe(target)
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const page1 = Object.entries(await readWithYauzl(await readFile(target))).find(([path]) => /weekend/.test(path))
  expect(page1?.[1].toString()).toContain('Draft 1.')

  // Done again from the history, it would change nothing.
  const rows = inGrid(page, 'Exports')
  await expect.poll(() => rows.count()).toBe(3)
  await tabOnto(page.getByRole('grid', { name: 'Exports' }))
  await keyboard.press('Home')
  await page.getByText(target).waitFor()
  await keyboard.press('F6')
  await tabOnto(page.getByRole('button', { name: 'Export again' }))
  await keyboard.press('Enter')
  await tabOnto(page.getByRole('button', { name: 'Show plan' }))
  await keyboard.press('Enter')
  await page.getByText('The destination is already up to date. Nothing has been written yet.').waitFor()
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // From a material, an export begins with that material.
  await keyboard.press('Control+1')
  await tabOnto(page.getByRole('grid', { name: 'Materials' }))
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'A weekend by the harbour' }).first().waitFor()
  await keyboard.press('Control+e')
  await dialog.getByRole('combobox', { name: 'Version of A weekend by the harbour' }).waitFor()
  await keyboard.press('Escape')
  await close()
})
