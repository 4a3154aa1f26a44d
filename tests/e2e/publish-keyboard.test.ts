import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, goToTab, inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
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

test(
  'by keyboard alone: what cannot be undone needs the name of the site each time; a target is checked and repaired',
  { timeout: 120_000 },
  async () => {
    const { app, page, close } = await startHarbourWeekly()
    const { keyboard } = page
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
    expect(await name.inputValue()).toBe('')
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
    expect(await name.inputValue()).toBe('harbour')
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
  },
)
