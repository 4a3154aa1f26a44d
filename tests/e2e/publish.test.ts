import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { sha256Of } from '../support/saves.ts'
import {
  aFolder,
  aFreePort,
  chooseInSwitcher,
  expectListener,
  goTo,
  goToTab,
  inGrid,
  recordOpenedAddresses,
  startApp,
} from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, recordShownInFolder } from './support/dialogs.ts'
import { aHarbourSite, merged, secretsAside } from './support/harbour-site.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { tabOnto } from './support/keyboard.ts'
import { showSection } from './support/settings.ts'
import { addFolderTarget } from './support/targets.ts'

test(
  'a target is added, planned, published, published again after a change, rolled back and previewed',
  { timeout: 120_000 },
  async () => {
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
    expect(await changed.getByRole('listitem').count()).toBe(1)
    const opened = detail.locator('details[open]')
    await opened.getByText('harbour-slab').waitFor()
    const said = opened.getByText('1 broken link').filter({ visible: true })
    expect(await said.count(), 'said once').toBe(1)
    await changed.getByText('Removed', { exact: true }).waitFor()
    await expectAccessible(page)

    // The previous release is restored byte for byte after confirmation.
    await detail.getByRole('button', { name: /^Roll back to the release of/ }).click()
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
  },
)

test(
  'a publication that fails says what readers see, and a target is removed without what is published there',
  { timeout: 120_000 },
  async () => {
    const { app, page, close } = await startHarbourWeekly()
    const folder = await aFolder()
    await writeFile(join(folder, 'index.html'), 'a file of somebody else')
    const { keyboard } = page

    // By keyboard alone, from another section.
    await goTo(page, 'Materials')
    await keyboard.press('Control+Shift+e')
    const form = page.getByRole('dialog', { name: 'New target' })
    await form.getByLabel('Name').waitFor()
    await tabOnto(form.getByLabel('Name'))
    await keyboard.type('staging')
    await answerDialogs(app, folder)
    await tabOnto(form.getByRole('button', { name: 'Choose…' }))
    await keyboard.press('Enter')
    await expect.poll(() => form.getByLabel('Folder', { exact: true }).inputValue()).toBe(folder)
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
    expect(await readdir(folder)).toEqual(['index.html'])
    await close()
  },
)

test(
  'media that were only looked up are counted, and so are texts of releases that name a person who is to be erased',
  { timeout: 120_000 },
  async () => {
    const port = await aFreePort()
    const { library, emulator, open } = await aHarbourSite(port)
    const { app, page, close } = await startApp({ library, environment: secretsAside, port })
    await expectListener(page, 'Listening')
    await chooseInSwitcher(page, /Harbour/)
    await page.getByRole('menu').waitFor({ state: 'detached' })
    const { fingerprint } = await open('stories/contact')
    const email = 'nets@harbour.example'
    const names = Array.from({ length: 45 }, (_, at) => `p${at}.png`)
    const saved = await emulator.save(fingerprint, {
      html: `<h1>Contact</h1><p>Write to ${email}.</p>${names.map((name) => `<img src="dummy-${name}" alt="">`).join('')}`,
      state: { assets: {} },
      files: Object.fromEntries(names.map((name) => [name, Buffer.from(`picture ${name}`).toString('base64')])),
      user_email: email,
    })
    expect(saved).toMatchObject(merged)
    await addFolderTarget(app, page, 'staging', join(await aFolder(), 'site'))
    await goToTab(page, 'Targets')
    await inGrid(page, 'Targets').first().click()
    await page.getByRole('region', { name: 'staging' }).getByRole('button', { name: 'Publish…' }).click()
    await page
      .getByRole('dialog', { name: 'Publish to staging' })
      .getByRole('button', { name: 'Publish', exact: true })
      .click()
    const done = page.getByRole('dialog', { name: 'Published to staging' })
    await done.getByText(/^\d+ more media files are in place; their content was not read\.$/).waitFor()
    await expectAccessible(page)
    await done.getByRole('button', { name: 'Close' }).click()

    await showSection(page, 'Storage')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page
      .getByText(
        /^\d files of published releases contain the address, because it was on their pages\. The files are kept\./,
      )
      .waitFor()
    await expectAccessible(page)
    await close()
  },
)

test(
  'what another site published is replaced only where its name is typed, and what a target lost is sent again',
  { timeout: 120_000 },
  async () => {
    const { app, page, close } = await startHarbourWeekly()
    const folder = await aFolder()
    const other = { path: 'theirs/index.html', bytes: 6, sha256: sha256Of('theirs') }
    const manifest = {
      format: 'galley-bundle',
      version: 1,
      owner: 'another',
      release: 'r',
      pages: ['a'],
      files: [other],
    }
    await mkdir(join(folder, 'theirs'))
    await writeFile(join(folder, other.path), 'theirs')
    await writeFile(join(folder, 'galley-bundle.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'README.md'), 'of a person')
    await addFolderTarget(app, page, 'staging', folder)
    await goToTab(page, 'Targets')
    await inGrid(page, 'Targets').filter({ hasText: 'staging' }).click()
    const detail = page.getByRole('region', { name: 'staging', exact: true })
    await detail.getByRole('button', { name: 'Publish…' }).click()
    const refused = page.getByRole('dialog', { name: 'Not published' })
    await refused.getByText('another site is published there').waitFor()
    await expectAccessible(page)
    await refused.getByLabel('type the name of the site').fill('harbour')
    expect(await refused.getByRole('button', { name: 'Take over…' }).isDisabled()).toBe(true)
    await refused.getByLabel('type the name of the site').fill('Harbour Weekly')
    await refused.getByRole('button', { name: 'Take over…' }).click()
    const plan = page.getByRole('dialog', { name: 'Publish to staging' })
    await plan.getByText('This removes 1 of the 1 pages that readers see.').waitFor()
    expect(await readdir(folder)).toContain('theirs')
    await plan.getByLabel('type the name of the site').fill('Harbour Weekly')
    await expectAccessible(page)
    await plan.getByRole('button', { name: 'Publish', exact: true }).click()
    const done = page.getByRole('dialog', { name: 'Published to staging' })
    await done.getByRole('button', { name: 'Close' }).click()
    expect(await readdir(folder)).not.toContain('theirs')
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('of a person')

    await rm(join(folder, 'index.html'))
    await detail.getByRole('button', { name: 'Check and repair' }).click()
    const checked = page.getByRole('dialog', { name: 'staging checked' })
    await checked.getByText('1 file was sent again').waitFor()
    await checked.getByText('index.html', { exact: true }).waitFor()
    await expectAccessible(page)
    await checked.getByRole('button', { name: 'Close' }).click()
    expect(await readdir(folder)).toContain('index.html')
    await close()
  },
)
