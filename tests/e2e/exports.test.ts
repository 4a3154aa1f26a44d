import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'

import { versionIn } from '../support/records.ts'
import { readWithYauzl } from '../support/unzip.ts'
import { aFolder, goToTab, inGrid } from './support/app.ts'
import { disturbCalls } from './support/calls.ts'
import { answerDialogs, openDialog, recordShownInFolder } from './support/dialogs.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { tabOnto } from './support/keyboard.ts'
import { choose } from './support/settings.ts'
import { watchAnswers } from './support/thread-answers.ts'

/** The files of a bundle in a folder with their bytes. */
async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'base64')] as const)
  return Object.fromEntries(await Promise.all(read))
}

/** Selects one material by its title, in its first version. */
async function chooseFirstDraft(dialog: Locator): Promise<void> {
  await choose(dialog.page(), 'Materials', 'Selected materials and versions')
  await dialog.getByLabel('Find materials').fill('weekend')
  await dialog.getByRole('checkbox', { name: 'A weekend by the harbour' }).click()
  const versions = dialog.getByRole('combobox', { name: 'Version of A weekend by the harbour' })
  await versions.click()
  await dialog.page().getByRole('option').nth(5).click()
}

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

async function newExport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New export' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New export' })
  await dialog.waitFor()
  return dialog
}

/** The pages of materials, without those that the theme makes. */
const pagesIn = (files: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(files).filter((path) => /^(?!archive\/|search\/).+\/index\.html$/.test(path))

test('an export is planned, blocked, written, changed and cancelled, by mouse and by keyboard; what was made is remembered', async () => {
  const { app, page, close, again } = await startHarbourWeekly()
  const out = await aFolder()
  const [target, zip] = [join(out, 'site'), join(out, 'site.zip')]
  const answers = await watchAnswers(app)
  const shownInFolder = await recordShownInFolder(app)
  await goToTab(page, 'Exports')

  // Everything, into a folder. Broken links are listed with their reasons, and block the export on request.
  await answerDialogs(app, target, target)
  let dialog = await newExport(page)
  await dialog.getByRole('button', { name: 'Choose…' }).click()
  await choose(page, 'Broken links', 'Block export')
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  const plan = page.getByRole('dialog', { name: 'Export plan' })
  await plan.getByText('The export was blocked because it has broken links.').waitFor()
  const finding = (where: Locator) =>
    where
      .getByRole('listitem')
      .filter({ hasText: 'dummy-harbour-slab.woff2' })
      .filter({ hasText: 'In fonts/fonts.css' })
  await finding(plan).getByText('The file was never part of a save.').waitFor()
  await expect.poll(() => plan.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0)
  await plan.getByRole('button', { name: 'Back' }).click()
  dialog = page.getByRole('dialog', { name: 'New export' })
  await choose(page, 'Broken links', 'Warn')
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  await plan.getByText(/^6 pages, \d+ files, /).waitFor()
  await plan.getByText(/^\d+ files added$/).waitFor()
  expect(await readdir(out), 'a plan writes nothing').toEqual([])
  await plan.getByRole('button', { name: 'Export', exact: true }).click()
  const done = page.getByRole('dialog', { name: 'Exported' })
  await finding(done).waitFor()
  await done.getByRole('button', { name: 'Open folder' }).click()
  await expect.poll(shownInFolder).toBe(target)
  await done.getByRole('button', { name: 'Close' }).click()
  const good = await contentsOf(target)
  const weekend = Object.keys(good).find((path) => /weekend.*\.html$/.test(path)) ?? ''
  expect(pagesIn(good)).toHaveLength(6)

  // One of them in its first draft, into the same folder: one page changes, the others go.
  dialog = await newExport(page)
  await dialog.getByRole('button', { name: 'Choose…' }).click()
  await chooseFirstDraft(dialog)
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  await plan
    .getByRole('group')
    .filter({ hasText: /files? changed/ })
    .getByText(weekend)
    .waitFor()
  const removed = plan.getByRole('group').filter({ hasText: /files removed/ })
  // A long list is collapsed until it is opened.
  await removed.getByText('pier-4/index.html').waitFor({ state: 'attached' })
  await expect.poll(() => removed.getByText(weekend).count()).toBe(0)

  // Paused when it first asks where a file is stored, and cancelled.
  await answers.hold()
  await plan.getByRole('button', { name: 'Export', exact: true }).click()
  await expect.poll(answers.held).toBeGreaterThan(0)
  const exporting = page.getByRole('dialog', { name: 'Exporting' })
  await exporting.getByRole('progressbar').waitFor()
  await exporting.getByRole('button', { name: 'Cancel' }).click()
  await exporting.getByText('Cancelling…').waitFor()
  await answers.release()
  dialog = page.getByRole('dialog', { name: 'New export' })
  await dialog.getByText('Cancelled. Your previous export is unchanged.').waitFor()
  expect(await contentsOf(target), 'the last good bundle').toMatchObject(good)
  // Content below a dialog is visible, but not accessible.
  await expect
    .poll(() => page.locator('[role=grid] [data-row]').count(), { message: 'nothing new in the history' })
    .toBe(3)

  await dialog.getByRole('button', { name: 'Show plan' }).click()
  await plan.getByRole('button', { name: 'Export', exact: true }).click()
  await done.getByText(/\d+ added, \d+ changed, \d+ removed/).waitFor()
  await done.getByRole('button', { name: 'Close' }).click()
  const changed = await contentsOf(target)
  expect(pagesIn(changed)).toEqual([weekend])
  expect(Buffer.from(changed[weekend] ?? '', 'base64').toString()).toContain('Draft 1.')
  expect(Object.keys(changed).filter((path) => /unfinished|tmp/.test(path))).toEqual([])

  // By keyboard alone, the same as a ZIP, whose bytes an independent reader finds equal.
  const { keyboard } = page
  dialog = page.getByRole('dialog', { name: 'New export' })
  await answerDialogs(app, zip)
  await keyboard.press('Control+e')
  // The site was exported to this folder before, and never to a ZIP.
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toBe(target)
  await takeLast(dialog.getByRole('combobox', { name: 'Format' }), 'ZIP file')
  await dialog.getByText('Choose a destination.').waitFor()
  await tabOnto(dialog.getByRole('button', { name: 'Choose…' }))
  await keyboard.press('Enter')
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toBe(zip)

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
  const chosen = dialog.getByRole('checkbox', { name: 'A weekend by the harbour' })
  await chosen.click()
  await dialog.getByText(/^Showing the newest \d+ of 240 versions/).waitFor()
  await chosen.click()
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
  await expect.poll(shownInFolder).toBe(zip)
  await keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })
  const zipped = Object.entries(await readWithYauzl(await readFile(zip)))
  expect(Object.fromEntries(zipped.map(([path, bytes]) => [path, bytes.toString('base64')]))).toEqual(changed)

  // Done again from the history, it would change nothing.
  await expect.poll(() => inGrid(page, 'Exports').count()).toBe(5)
  await tabOnto(page.getByRole('grid', { name: 'Exports' }))
  await keyboard.press('Home')
  await page.getByText(zip).first().waitFor()
  await keyboard.press('F6')
  await tabOnto(page.getByRole('button', { name: 'Export again' }))
  await keyboard.press('Enter')
  await tabOnto(page.getByRole('button', { name: 'Show plan' }))
  await keyboard.press('Enter')
  await page.getByText('The destination is already up to date. Nothing has been written yet.').waitFor()
  await keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })

  // From a material, an export begins with that material.
  await keyboard.press('Control+2')
  await tabOnto(page.getByRole('grid', { name: 'Materials' }))
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'A weekend by the harbour' }).first().waitFor()
  await keyboard.press('Control+e')
  await dialog.getByRole('combobox', { name: 'Version of A weekend by the harbour' }).waitFor()
  await keyboard.press('Escape')

  await goToTab(page, 'Exports')
  // A missing destination is reported.
  await rename(zip, join(out, 'moved.zip'))
  await inGrid(page, 'Exports').first().click()
  await page.getByRole('button', { name: 'Open folder' }).click()
  await page.getByText(`${zip} no longer exists`).first().waitFor()
  await close()

  // After a restart the history is complete: destination, size, problems and versions.
  const later = await again()
  await goToTab(later.page, 'Exports')
  const rows = inGrid(later.page, 'Exports')
  await expect.poll(() => rows.allTextContents()).toHaveLength(5)
  await expect.poll(() => rows.first().textContent()).toContain('site.zip')
  await rows.nth(2).click()
  const detail = later.page.getByRole('region', { name: 'Export', exact: true })
  await detail.getByText('6 pages').waitFor()
  await finding(detail).waitFor()
  await detail.getByRole('button', { name: 'The last net makers of Pier 4' }).waitFor()
  await later.close()
})

test('rejected versions stay out by a setting that is changed where they are missed; a damaged target is read back and mended', async () => {
  const { app, page, close } = await startHarbourWeekly()
  const out = join(await aFolder(), 'site')
  const lastOf = (materialId: string): Promise<string> =>
    page.evaluate(async (id) => {
      const query = { site: 'harbour', materialId: id, offset: 0, limit: 1 }
      return (await window.galley.call('queryVersions', query)).rows[0]?.versionId ?? ''
    }, materialId)
  for (const [materialId, decision] of [
    ['travel/harbour-weekend', 'changes_requested'],
    ['people/net-makers', 'changes_requested'],
    ['food/market-at-nine', 'approved'],
  ] as const) {
    const versionId = await lastOf(materialId)
    const named = { ...versionIn('harbour', materialId, versionId), set: { verdict: { decision, reason: '' } } }
    expect(await page.evaluate((input) => window.galley.call('setFields', input), named)).toMatchObject({
      ok: true,
    })
  }
  const weekend = await lastOf('travel/harbour-weekend')
  await goToTab(page, 'Exports')
  await answerDialogs(app, out)

  // The destination of the last export is preset; another one is chosen.
  let dialog = await newExport(page)
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toMatch(/harbour-weekly$/)
  await dialog.getByRole('button', { name: 'Choose…' }).click()
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toBe(out)
  await choose(page, 'Materials', 'Selected materials and versions')
  await dialog.getByLabel('Find materials').fill('weekend')
  const found = dialog.getByRole('list', { name: 'Matching materials' }).getByRole('listitem')
  await found.filter({ hasText: 'A weekend by the harbour' }).getByText('Changes requested').waitFor()
  await dialog.getByRole('checkbox', { name: 'A weekend by the harbour' }).click()
  await dialog.getByRole('combobox', { name: 'Version of A weekend by the harbour' }).click()
  await page.getByRole('option', { name: /· Changes requested$/ }).waitFor()
  await page.keyboard.press('Escape')
  await choose(page, 'Materials', 'All saved materials')

  // The plan lists each verdict, and what is not exported.
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  const plan = page.getByRole('dialog', { name: 'Export plan' })
  const left = plan.getByRole('region', { name: 'Versions left out' })
  await left.getByText('2 current versions are left out').waitFor()
  await left
    .getByRole('listitem')
    .filter({ hasText: weekend })
    .getByText('Another version is included instead.')
    .waitFor()
  const nets = left.getByRole('listitem').filter({ hasText: 'The last net makers' })
  await nets.getByText('No version of this material is included.').waitFor()
  const pages = plan.getByRole('group').filter({ hasText: '5 pages' }).getByRole('listitem')
  await pages.filter({ hasText: 'At nine, the market' }).getByText('Approved').waitFor()
  await pages.filter({ hasText: 'A weekend by the harbour' }).getByText('Waiting for review').waitFor()

  // The setting belongs to the site and is kept for the next export.
  await plan.getByRole('button', { name: 'Back' }).click()
  dialog = page.getByRole('dialog', { name: 'New export' })
  await choose(page, 'Outgoing versions', 'Newest approved')
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  await plan.getByText('1 page, ').waitFor()
  await plan.getByRole('button', { name: 'Export', exact: true }).click()
  const done = page.getByRole('dialog', { name: 'Exported' })
  await done.getByText('5 current versions are left out').waitFor()
  await expect.poll(() => done.getByText(/verified/).count()).toBe(0)
  await done.getByRole('button', { name: 'Close' }).click()
  const good = await contentsOf(out)
  expect(pagesIn(good)).toEqual(['at-nine-the-market/index.html'])
  await inGrid(page, 'Exports').first().click()
  const detail = page.getByRole('region', { name: 'Export', exact: true })
  await detail.getByText('5 current versions are left out').waitFor()

  // A file that was damaged without a change of size is found and repaired from the menu of the row.
  const media = Object.keys(good).find((path) => path.endsWith('market.svg')) ?? ''
  const bytes = await readFile(join(out, media))
  await writeFile(join(out, media), Buffer.concat([bytes.subarray(0, -2), Buffer.from('\n\n')]))
  await inGrid(page, 'Exports').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy path' }).waitFor()
  await page.getByRole('menuitem', { name: 'Export again and verify' }).click()
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Verify files' }).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  await plan.getByText('1 file changed').waitFor()
  await plan.getByRole('button', { name: 'Export', exact: true }).click()
  await done.getByText('1 file was damaged and was written again').waitFor()
  await done.getByText(media).waitFor()
  await done.getByRole('button', { name: 'Close' }).click()
  expect(await contentsOf(out)).toEqual(good)
  await close()
})
