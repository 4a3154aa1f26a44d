import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { sha256Of } from '../support/saves.ts'
import { aFolder, goTo, goToTab, inGrid, recordOpenedAddresses } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, recordShownInFolder } from './support/dialogs.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { tabOnto } from './support/keyboard.ts'
import { addFolderTarget, publishTo } from './support/targets.ts'

const most = ['travel/lighthouse-road', 'people/net-makers', 'food/bread-still-warm', 'culture/boat-names']

const setStates = (page: Page, state: 'draft' | 'published') =>
  page.evaluate(
    ({ materialIds, state }) =>
      window.galley.call('savePageSettings', { site: 'harbour', materialIds, changes: { state } }),
    { materialIds: most, state } as const,
  )

/** Makes the folder look as if another copy of this library had published there since. */
async function publishFromAnotherCopy(folder: string): Promise<void> {
  const file = join(folder, 'galley-bundle.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { files: readonly object[] }
  await writeFile(file, JSON.stringify({ ...manifest, release: 'of-the-copy', files: manifest.files.slice(1) }))
}

test('a target is added, planned, published, published again after a change, rolled back and previewed', async () => {
  const { app, page, close } = await startHarbourWeekly()
  const folder = join(await aFolder(), 'site')
  const openedUrls = await recordOpenedAddresses(app)
  const shownInFolder = await recordShownInFolder(app)
  await goToTab(page, 'Targets')
  await page.getByText('Nowhere to publish yet').waitFor()
  await expectAccessible(page)

  // An invalid value is reported at its field, and all input stays.
  await page.getByRole('button', { name: 'New target' }).last().click()
  const form = page.getByRole('dialog', { name: 'New target' })
  await form.getByLabel('Name').fill('Live site')
  await form.getByRole('button', { name: 'Add target' }).click()
  await form.getByText('Use 1 to 40 lower-case letters').waitFor()
  await expectAccessible(page)
  await form.getByLabel('Name').fill('live')
  await answerDialogs(app, folder)
  await form.getByRole('button', { name: 'Choose…' }).click()
  await form.getByRole('button', { name: 'Add target' }).click()
  const detail = page.getByRole('region', { name: 'live', exact: true })
  await detail.getByText('Nothing has been published here yet.').waitFor()

  // A plan writes nothing; publishing is read back.
  await detail.getByRole('button', { name: 'Publish…' }).click()
  const plan = page.getByRole('dialog', { name: 'Publish to live' })
  await plan.getByText('6 pages change').waitFor()
  await expectAccessible(page)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
  await plan.getByRole('button', { name: 'Publish', exact: true }).click()
  const done = page.getByRole('dialog', { name: 'Published to live' })
  await done.getByText(/^Published\. \d+ files were read back from the target\.$/).waitFor()
  await done.getByRole('button', { name: 'Open folder' }).click()
  await expect.poll(shownInFolder).toBe(folder)
  await done.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => inGrid(page, 'Targets').first().textContent()).toContain('Up to date')
  await detail.getByText('Online', { exact: true }).waitFor()
  const first = await readFile(join(folder, 'index.html'), 'utf8')

  // Removing a page changes what the next publication would do.
  await page.evaluate(() =>
    window.galley.call('savePageSettings', {
      site: 'harbour',
      materialIds: ['culture/boat-names'],
      changes: { state: 'draft' },
    }),
  )
  await expect.poll(() => inGrid(page, 'Targets').first().textContent()).toContain('Unpublished changes')
  await goToTab(page, 'Pages')
  const boats = inGrid(page, 'Pages').filter({ hasText: 'Why boats' })
  await boats.getByText('Draft').waitFor()
  await boats.getByText(/^Online since/).waitFor()
  await goToTab(page, 'Targets')
  await detail.getByRole('button', { name: 'Publish…' }).click()
  await plan.getByText('1 current version is left out').waitFor()
  await plan.getByRole('button', { name: 'Publish', exact: true }).click()
  await done.getByRole('button', { name: 'Close' }).click()
  expect(await readFile(join(folder, 'index.html'), 'utf8')).not.toBe(first)
  await detail.getByText('0 added, 0 changed, 1 removed').waitFor()
  await detail.getByText('What changed', { exact: true }).first().click()
  const changed = detail.getByRole('list', { name: 'Pages that changed' })
  await changed.getByText('Why boats are called Klara').waitFor()
  await expect.poll(() => changed.getByRole('listitem').count()).toBe(1)
  const opened = detail.locator('details[open]')
  await opened.getByText('harbour-slab').waitFor()
  const said = opened.getByText('1 broken link').filter({ visible: true })
  await expect.poll(() => said.count(), { message: 'said once' }).toBe(1)
  await changed.getByText('Removed', { exact: true }).waitFor()
  await expectAccessible(page)

  // The previous release is restored byte for byte after confirmation.
  const earlier = detail.getByRole('listitem').filter({ hasText: 'Roll back…' })
  await earlier.click({ button: 'right', position: { x: 5, y: 5 } })
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['What changed', 'Roll back…'])
  await page.getByRole('menuitem', { name: 'Roll back…' }).click()
  const question = page.getByRole('dialog', { name: 'Roll back “live”?' })
  await question.getByText('It had 6 pages.').waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('dialog', { name: 'live rolled back' }).getByRole('button', { name: 'Close' }).click()
  await detail.getByText('Rollback', { exact: true }).waitFor()
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe(first)

  // The preview shows what would be published, until it is stopped.
  await detail.getByRole('button', { name: 'Preview' }).click()
  await page.getByText(/^The preview runs at/).waitFor()
  const [url = ''] = (await openedUrls()).slice(-1)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  expect((await fetch(url)).status).toBe(200)
  await page.getByRole('button', { name: 'Stop preview' }).click()
  await page.getByText(/^The preview runs at/).waitFor({ state: 'detached' })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  await close()
})

test('by keyboard alone: what fails says what readers see; what cannot be undone needs the name of the site each time', async () => {
  const { app, page, close } = await startHarbourWeekly()
  const { keyboard } = page
  const taken = await aFolder()
  await writeFile(join(taken, 'index.html'), 'a file of somebody else')

  // By keyboard alone, from another section.
  await goTo(page, 'Materials')
  await keyboard.press('Control+Shift+e')
  const form = page.getByRole('dialog', { name: 'New target' })
  await form.getByLabel('Name').waitFor()
  await tabOnto(form.getByLabel('Name'))
  await keyboard.type('staging')
  await answerDialogs(app, taken)
  await tabOnto(form.getByRole('button', { name: 'Choose…' }))
  await keyboard.press('Enter')
  await expect.poll(() => form.getByLabel('Folder', { exact: true }).inputValue()).toBe(taken)
  await tabOnto(form.getByRole('button', { name: 'Add target' }))
  await keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await keyboard.press('Control+Shift+e')
  const failed = page.getByRole('dialog', { name: 'Not published' })
  await failed.getByText('the target contains index.html, which Galley did not put there').waitFor()
  await expectAccessible(page)
  await keyboard.press('Escape')
  await failed.waitFor({ state: 'detached' })

  // Arrow keys walk through the tabs.
  await tabOnto(page.getByRole('tab', { name: 'Targets' }))
  await keyboard.press('ArrowRight')
  await inGrid(page, 'Exports').first().waitFor()
  await keyboard.press('ArrowLeft')
  await inGrid(page, 'Targets').first().waitFor()

  await page.getByRole('region', { name: 'staging' }).getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove target' }).click()
  await page.getByText('Nowhere to publish yet').waitFor()
  expect(await readdir(taken)).toEqual(['index.html'])
  // What another site published is replaced only where the name of this one is typed.
  const theirs = await aFolder()
  const other = { path: 'theirs/index.html', bytes: 6, sha256: sha256Of('theirs') }
  const manifest = {
    format: 'galley-bundle',
    version: 1,
    owner: 'another',
    release: 'r',
    pages: ['a'],
    files: [other],
  }
  await mkdir(join(theirs, 'theirs'))
  await writeFile(join(theirs, other.path), 'theirs')
  await writeFile(join(theirs, 'galley-bundle.json'), JSON.stringify(manifest))
  await writeFile(join(theirs, 'README.md'), 'of a person')
  await addFolderTarget(app, page, 'theirs', theirs)
  await goToTab(page, 'Targets')
  await inGrid(page, 'Targets').filter({ hasText: 'theirs' }).click()
  const taking = page.getByRole('region', { name: 'theirs', exact: true })
  await taking.getByRole('button', { name: 'Publish…' }).click()
  const refused = page.getByRole('dialog', { name: 'Not published' })
  await refused.getByText('another site is published there').waitFor()
  await expectAccessible(page)
  await refused.getByLabel('type the name of the site').fill('harbour')
  await expect.poll(() => refused.getByRole('button', { name: 'Take over…' }).isDisabled()).toBe(true)
  await refused.getByLabel('type the name of the site').fill('Harbour Weekly')
  await refused.getByRole('button', { name: 'Take over…' }).click()
  const plan = page.getByRole('dialog', { name: 'Publish to theirs' })
  await plan.getByText('This removes 1 of the 1 pages that readers see.').waitFor()
  expect(await readdir(theirs)).toContain('theirs')
  await plan.getByLabel('type the name of the site').fill('Harbour Weekly')
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Publish', exact: true }).click()
  const done = page.getByRole('dialog', { name: 'Published to theirs' })
  await done.getByRole('button', { name: 'Close' }).click()
  expect(await readdir(theirs)).not.toContain('theirs')
  expect(await readFile(join(theirs, 'README.md'), 'utf8')).toBe('of a person')

  await taking.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove target' }).click()
  await page.getByText('Nowhere to publish yet').waitFor()

  const folder = join(await aFolder(), 'site')
  await addFolderTarget(app, page, 'staging', folder)
  await publishTo(page, 'staging')
  await goToTab(page, 'Targets')
  await inGrid(page, 'Targets').first().click()
  const detail = page.getByRole('region', { name: 'staging', exact: true })
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('type the name of the site: Harbour Weekly')
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
  const end = async (title: string): Promise<void> => {
    await page.getByRole('dialog', { name: title }).waitFor()
    await keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  // The name that was typed for a publication that was cancelled allows no other.
  await publishFromAnotherCopy(folder)
  await keyboard.press('Control+Shift+e')
  await dialog.getByText('another copy of this library has published there since').waitFor()
  await tabOnto(name)
  await keyboard.type('Harbour Weekly')
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await keyboard.press('Control+Shift+e')
  await dialog.getByText('another copy of this library has published there since').waitFor()
  await expect.poll(() => name.inputValue()).toBe('')
  await tabOnto(name)
  await keyboard.type('Harbour Weekly')
  await keyboard.press('Enter')
  const publish = page
    .getByRole('dialog', { name: 'Publish to staging' })
    .getByRole('button', { name: 'Publish', exact: true })
  await tabOnto(publish)
  await keyboard.press('Enter')
  await end('Published to staging')

  await setStates(page, 'draft')
  await keyboard.press('Control+Shift+e')
  await dialog.getByText('This removes 4 of the 6 pages that readers see.').waitFor()
  await expectAccessible(page)
  await tabOnto(name)
  await keyboard.type('harbour')
  await keyboard.press('Enter')
  await keyboard.press('Control+a')
  await expect.poll(() => name.inputValue()).toBe('harbour')
  await keyboard.type('Harbour Weekly')
  await keyboard.press('Enter')
  await end('Published to staging')
  expect(await readdir(folder)).not.toContain('why-boats-are-called-klara')

  // A roll back that removes as much is refused first.
  await setStates(page, 'published')
  await keyboard.press('Control+Shift+e')
  await tabOnto(publish)
  await keyboard.press('Enter')
  await end('Published to staging')
  const earlier = detail.getByRole('button', { name: /^Roll back to/ })
  await expect.poll(() => earlier.count()).toBe(2)
  await tabOnto(earlier.first())
  await keyboard.press('Enter')
  await tabOnto(dialog.getByRole('button', { name: 'Roll back', exact: true }))
  await keyboard.press('Enter')
  await dialog.getByText('This would remove 4 of the 6 pages that readers see. Nothing was published.').waitFor()
  expect(await readdir(folder)).toContain('why-boats-are-called-klara')
  await expectAccessible(page)
  await tabOnto(name)
  await keyboard.type('Harbour Weekly')
  await keyboard.press('Enter')
  await end('staging rolled back')
  expect(await readdir(folder)).not.toContain('why-boats-are-called-klara')

  await rm(join(folder, 'index.html'))
  await tabOnto(detail.getByRole('button', { name: 'Check and repair' }))
  await keyboard.press('Enter')
  await dialog.getByText('1 file was sent again').waitFor()
  await end('staging checked')
  expect(await focused(), 'the focus returns').toBe('Check and repair')
  expect(await readdir(folder)).toContain('index.html')
  await close()
})
