import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { expect, test } from 'vitest'

import { galleyProcess } from '../../cli/support/cli.ts'
import {
  aFolder,
  aFreePort,
  chooseInSwitcher,
  expectListener,
  goTo,
  goToChecks,
  goToTab,
  inGrid,
  recordOpenedAddresses,
  startApp,
} from '../support/app.ts'
import { pageIsSeen } from '../support/desk.ts'
import { answerDialogs, openDialog } from '../support/dialogs.ts'
import { fillLibrary } from '../support/harbour-weekly.ts'
import { isReview, pagesUnderReview } from '../support/review.ts'
import { aPage, fingerprintIn } from '../support/service.ts'
import { attemptsOutside, pullCable } from './attempts.ts'

const secret = 'secret of the island'

/** The Harbour Weekly's service is on this machine; that of the site Abroad is far away. */
async function startGalley() {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const filled = await fillLibrary(library, port, secret)
  const environment = { ...filled.environment, GALLEY_SECRET_ABROAD: secret }
  const added = await galleyProcess(
    [
      'site',
      'add',
      'abroad',
      '--library',
      library,
      '--name',
      'Abroad',
      '--api-key',
      'abroad-key',
      '--base-url',
      'https://editor.service.example/integration',
      '--callback-url',
      `http://127.0.0.1:${port}/callback/abroad`,
    ],
    environment,
  )
  expect(added.code, added.stderr).toBe(0)
  const started = await startApp({ library, port, environment })
  await expectListener(started.page, 'Listening')
  await chooseInSwitcher(started.page, /Harbour Weekly/)
  return started
}

test('every section and a save of this machine need no network, and nothing tries it', async () => {
  const { app, page, close } = await startGalley()
  await findMaterial(page)
  await reviewAndCompare(app, page)
  await exportEverything(app, page)
  await lookIntoCallbacks(page)
  await lookAtFonts(page)
  await checkHealth(page)
  await walkSettings(page)
  await saveFromThisMachine(app, page)
  expect(await attemptsOutside(), 'addresses that something tried to reach').toStrictEqual([])

  // Only opening a session of a remote service fails, and the reason is shown.
  await chooseInSwitcher(page, /Abroad/)
  await expectNoSession(page)
  expect(await attemptsOutside(), 'that this was an attempt is seen').not.toStrictEqual([])
  await pullCable()
  await page.getByRole('status').getByText('Offline').waitFor()
  await expectNoSession(page)
  await chooseInSwitcher(page, /Harbour Weekly/)
  await findMaterial(page)
  await close()
})

async function findMaterial(page: Page): Promise<void> {
  await goTo(page, 'Materials')
  const search = page.getByRole('textbox', { name: 'Search materials' })
  await search.fill('harbour')
  await page.locator('mark').first().waitFor()
  await search.fill('')
  await inGrid(page, 'Materials').filter({ hasText: 'The last net makers' }).waitFor()
}

async function reviewAndCompare(app: ElectronApplication, page: Page): Promise<void> {
  await inGrid(page, 'Materials').filter({ hasText: 'A weekend by the harbour' }).dblclick()
  await inGrid(page, 'Versions').nth(1).click()
  const opened = app.waitForEvent('window', isReview)
  await page.getByRole('toolbar', { name: 'Actions for this version' }).getByRole('button', { name: 'Review' }).click()
  const frame = await opened
  frame.setDefaultTimeout(10_000)
  const shown = pagesUnderReview(app)
  await expect
    .poll(async () => (await shown()).map(({ text }) => /Draft \d/.exec(text)?.[0]))
    .toStrictEqual(['Draft 4'])
  await expect.poll(async () => (await shown())[0]?.pictures.every((width) => width > 0)).toBe(true)
  await pageIsSeen(frame)
  await frame.keyboard.press('2')
  await expect.poll(async () => (await shown()).length).toBe(2)
  await frame.getByRole('tab', { name: 'Text', exact: true }).click()
  await frame.getByRole('tabpanel', { name: 'Text' }).getByText('Draft').first().waitFor()
  await frame.close()
  await page
    .getByRole('region', { name: 'A weekend by the harbour' })
    .getByRole('button', { name: 'Materials' })
    .click()
}

async function exportEverything(app: ElectronApplication, page: Page): Promise<void> {
  const target = join(await aFolder(), 'site')
  await answerDialogs(app, target)
  await goToTab(page, 'Exports')
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Choose…' }).click()
  await dialog.getByRole('button', { name: 'Show plan' }).click()
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('dialog', { name: 'Exported' }).waitFor()
  expect(await readdir(target)).toContain('index.html')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

async function lookIntoCallbacks(page: Page): Promise<void> {
  await goTo(page, 'Delivery')
  await inGrid(page, 'Callbacks').filter({ hasText: 'Stored' }).first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.getByText('This signature would be accepted.').waitFor()
  await page.getByRole('tab', { name: 'Replay' }).click()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Dry run' }).click()
  await page.getByText('Already stored').waitFor()
}

async function lookAtFonts(page: Page): Promise<void> {
  await goTo(page, 'Fonts')
  await inGrid(page, 'Fonts').first().click()
  await page.getByRole('tab', { name: 'Specimens' }).click()
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ family, status }) => /stored-/.test(family) && status === 'loaded'),
    )
  await expect.poll(async () => (await loaded()).length).toBe(2)
}

async function checkHealth(page: Page): Promise<void> {
  await goToChecks(page)
  await page.getByRole('button', { name: 'Check library' }).click()
  await page.getByRole('listitem', { name: 'Library check' }).getByText('No problems found').waitFor()
  await page.getByRole('button', { name: 'Test now' }).click()
  await page.getByRole('listitem', { name: 'Callback URL' }).getByText('Reached', { exact: true }).waitFor()
}

async function walkSettings(page: Page): Promise<void> {
  await goTo(page, 'Settings')
  const parts = page.getByRole('navigation', { name: 'Settings' }).getByRole('button')
  for (const name of await parts.allTextContents()) {
    await parts.filter({ hasText: name }).click()
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  }
}

async function saveFromThisMachine(app: ElectronApplication, page: Page): Promise<void> {
  const openedAddresses = await recordOpenedAddresses(app)
  await goTo(page, 'Materials')
  await openNewMaterial(page, 'stories/island', 'An island of its own')
  await page.locator(openDialog).waitFor({ state: 'detached' })
  await expect.poll(openedAddresses).toHaveLength(1)
  const { origin, href } = new URL((await openedAddresses())[0] ?? '')
  const saved = await fetch(`${origin}/_emulator/sessions/${fingerprintIn(href)}/save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aPage('An island of its own')),
  })
  expect(await saved.json()).toMatchObject({ result: 'merged' })
  await inGrid(page, 'Materials')
    .filter({ hasText: 'An island of its own' })
    .filter({ hasText: 'Waiting for review' })
    .waitFor()
}

/** The failure, its effect and what to do; the input stays. */
async function expectNoSession(page: Page): Promise<void> {
  await goTo(page, 'Materials')
  await openNewMaterial(page, 'stories/mainland', 'The mainland')
  const dialog = page.getByRole('dialog')
  const words = dialog.getByText(/^The service can’t be reached: .* No session was opened\./)
  await words.waitFor()
  expect(await words.textContent()).toMatch(/Check the network and the site’s service URL\.$/)
  expect(await dialog.getByLabel('Material ID').inputValue()).toBe('stories/mainland')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

async function openNewMaterial(page: Page, id: string, title: string): Promise<void> {
  await page.getByRole('button', { name: 'New material' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Material ID').fill(id)
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('button', { name: 'Open in editor' }).click()
}
