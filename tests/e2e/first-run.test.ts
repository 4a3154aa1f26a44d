import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, inGrid, recordOpenedAddresses, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { tabTo } from './support/keyboard.ts'
import { aPage, fingerprintIn, startEmulator } from './support/service.ts'

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor()

/** The input of the site form. */
const entries = (emulator: Awaited<ReturnType<typeof startEmulator>>, callbackUrl: string) =>
  [
    ['Name', 'Harbour Weekly'],
    ['Site ID', 'harbour'],
    ['Service URL', emulator.baseUrl],
    ['API key', emulator.apiKey],
    ['Secret', emulator.secret],
    ['Callback URL', callbackUrl],
  ] as const

test(
  'every step is tested on the way to the first save, and the welcome is over for good',
  { timeout: 120_000 },
  async () => {
    const emulator = await startEmulator({ secret: `first ${crypto.randomUUID()}` })
    const port = await aFreePort()
    const library = join(await aFolder(), 'library')
    const { app, page, close } = await startApp({ library, port })
    const openedAddresses = await recordOpenedAddresses(app)
    await expectListener(page, 'Listening')
    await heading(page, 'Welcome to Galley')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Test keychain' }).click()
    await page.getByText('The keychain works').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()

    await heading(page, 'Library folder')
    await page.getByRole('main').getByText(library, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Test folder' }).click()
    await page.getByText(/ free of /).waitFor()
    // Automatic backups are on, and the step says where they go.
    await page.getByRole('main').getByText(`${library}-backups`, { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue' }).click()

    await heading(page, 'Your site')
    await page.getByRole('button', { name: 'Add site' }).click()
    const dialog = page.getByRole('dialog')
    const nowhere = `http://127.0.0.1:${await aFreePort()}/callback/harbour`
    for (const [label, value] of entries(emulator, nowhere)) {
      await dialog.getByLabel(label, { exact: true }).fill(value)
    }
    await dialog.getByRole('button', { name: 'Add site' }).click()
    await page.getByText('Harbour Weekly is set up.').waitFor()
    await page.getByRole('button', { name: 'Test site' }).click()
    for (const found of [
      'It was not tried yet',
      'The service responds.',
      'This computer’s clock matches the service.',
    ]) {
      await page.getByText(found).waitFor()
    }
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue' }).click()

    // The way of a save ends nowhere until the callback URL is right.
    await heading(page, 'Test the callback')
    await page.getByText(`Listening at http://127.0.0.1:${port}`).waitFor()
    await page.getByRole('button', { name: 'Send a test callback' }).click()
    await page.getByText(/^The callback URL can’t be reached:/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit site' }).click()
    await dialog.getByLabel('Callback URL').fill(`http://127.0.0.1:${port}/callback/harbour`)
    await answerQuestions(app, 'first button')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send a test callback' }).click()
    await page.getByText('The callback URL reaches this computer.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()

    await heading(page, 'Your first session')
    await page.getByRole('button', { name: 'New material' }).click()
    await dialog.getByLabel('Material ID').fill('stories/first')
    await dialog.getByLabel('Title').fill('The first story')
    await dialog.getByRole('button', { name: 'Open in editor' }).click()
    await expect.poll(openedAddresses).toHaveLength(1)
    const fingerprint = fingerprintIn((await openedAddresses())[0])
    expect(await emulator.save(fingerprint, aPage('The first story'))).toMatchObject({ result: 'merged' })
    await inGrid(page, 'Materials')
      .filter({ hasText: 'The first story' })
      .filter({ hasText: 'Waiting for review' })
      .waitFor()
    await close()

    const again = await startApp({ library, port })
    await inGrid(again.page, 'Materials').filter({ hasText: 'The first story' }).waitFor()
    expect(await again.page.getByText('Welcome to Galley').count()).toBe(0)
    await again.close()
  },
)

test('the same by keyboard alone, past the steps that can wait', { timeout: 120_000 }, async () => {
  const emulator = await startEmulator({ secret: `keys ${crypto.randomUUID()}` })
  const port = await aFreePort()
  const { app, page, close } = await startApp({ library: join(await aFolder(), 'library'), port })
  const openedAddresses = await recordOpenedAddresses(app)
  const press = async (name: string | RegExp): Promise<void> => {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  await expectListener(page, 'Listening')
  await press('Test keychain')
  await page.getByText('The keychain works').waitFor()
  await press('Continue')
  await heading(page, 'Library folder')
  await page.getByText(/ free of /).waitFor()
  await press('Continue')
  await heading(page, 'Your site')
  await press('Add site')
  const isInDialog = () =>
    page.evaluate(() => document.activeElement?.closest('[role="dialog"]') instanceof HTMLElement)
  await expect.poll(isInDialog).toBe(true)
  for (const [label, value] of entries(emulator, `http://127.0.0.1:${port}/callback/harbour`)) {
    const isThere = await page.evaluate(
      (label) => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent === label,
      label,
    )
    if (!isThere) await tabTo(page, label)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(value)
  }
  await page.keyboard.press('Enter')
  await page.getByText('Harbour Weekly is set up.').waitFor()
  await press(/^(?:Skip|Continue)$/)
  await heading(page, 'Test the callback')
  await press('Send a test callback')
  await page.getByText('The callback URL reaches this computer.').waitFor()
  await press('Continue')
  await heading(page, 'Your first session')
  await press('New material')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('stories/keys')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Written by keys')
  await page.keyboard.press('Enter')
  await expect.poll(openedAddresses).toHaveLength(1)
  const fingerprint = fingerprintIn((await openedAddresses())[0])
  expect(await emulator.save(fingerprint, aPage('Written by keys'))).toMatchObject({ result: 'merged' })
  await inGrid(page, 'Materials')
    .filter({ hasText: 'Written by keys' })
    .filter({ hasText: 'Waiting for review' })
    .waitFor()
  await close()
})

test(
  'a problem is reported at its step, with what to do, and all steps can be skipped',
  { timeout: 120_000 },
  async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const home = await aFolder()
    const library = join(home, 'library')
    const { app, page, close } = await startApp({
      library,
      port,
      // A session without a keychain, and a home in which the choice of a folder is remembered.
      environment: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, 'no-bus')}`, XDG_DATA_HOME: home },
    })
    await expectListener(page, 'Not listening')
    await heading(page, 'Welcome to Galley')
    await page.getByRole('button', { name: 'Test keychain' }).click()
    await page.getByText('No keychain was found. Galley needs one to store secrets').waitFor()
    await expectAccessible(page)

    // A sample needs the listener too.
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page.getByText('The listener can’t start at this address, so no saves are received.').waitFor()
    await page.getByRole('button', { name: 'Skip', exact: true }).click()

    // A folder that cannot be used, and one that can.
    await answerDialogs(app, join(home, 'gone'))
    await page.getByRole('button', { name: 'Choose another folder…' }).click()
    await page.getByText('Galley can’t write to this folder.').waitFor()
    await expectAccessible(page)
    const chosen = join(home, 'chosen')
    await mkdir(chosen)
    await answerDialogs(app, chosen)
    await page.getByRole('button', { name: 'Choose another folder…' }).click()
    await page.getByText(`Galley will use ${chosen} after a restart.`).waitFor()
    await page.getByRole('button', { name: 'Restart now' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await heading(page, 'Your site')
    await page.getByRole('button', { name: 'Skip', exact: true }).click()

    // The port is in use, and then free.
    const taken = page.getByRole('main').getByText(`Another program uses port ${port}, so Galley can’t receive saves.`)
    await taken.last().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Choose another port' }).click()
    await page.getByRole('heading', { level: 2, name: 'Listener' }).waitFor()
    await page.keyboard.press('Alt+ArrowLeft')
    other.close()
    await once(other, 'close')
    await page.getByRole('button', { name: 'Start listener' }).click()
    await page.getByText(`Listening at http://127.0.0.1:${port}`).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Add a site before you open a session.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Add site' }).click()
    await page.getByRole('dialog').getByLabel('Site ID').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Add your first site').waitFor()
    await close()
  },
)

test('a sample of the service is one click away', { timeout: 120_000 }, async () => {
  const { app, page, close } = await startApp({ library: join(await aFolder(), 'library'), port: await aFreePort() })
  const openedAddresses = await recordOpenedAddresses(app)
  await expectListener(page, 'Listening')
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByRole('button', { name: /^Site: .*DEV$/ }).waitFor({ timeout: 30_000 })
  await inGrid(page, 'Materials').filter({ hasText: 'A weekend by the harbour' }).click()
  await expect.poll(() => page.locator('[data-announcer="polite"]').textContent()).toMatch(/arrived|Stored/)

  // Its editor is real, and its saves arrive.
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await expect.poll(openedAddresses).toHaveLength(1)
  const address = (await openedAddresses())[0] ?? ''
  const editor = await fetch(address)
  expect(editor.headers.get('content-type')).toContain('text/html')
  const saved = await fetch(new URL(`/_emulator/sessions/${fingerprintIn(address)}/save`, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aPage('A weekend by the sea')),
  })
  expect(await saved.json()).toMatchObject({ result: 'merged' })
  await expect.poll(() => inGrid(page, 'Versions').count()).toBe(3)
  await close()
})
