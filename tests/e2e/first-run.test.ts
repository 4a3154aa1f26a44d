import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, goTo, inGrid, recordOpenedAddresses, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, answerQuestions, openDialog } from './support/dialogs.ts'
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

test('every step is tested on the way to the first save, and the welcome is over for good', async () => {
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
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  const nowhere = `http://127.0.0.1:${await aFreePort()}/callback/harbour`
  // What the service sent is pasted whole, and the secret is never shown.
  const sent = `Your API key is ${emulator.apiKey}.\n\nSecret: "${emulator.secret}"\nURL: ${emulator.baseUrl}`
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), sent)
  await dialog.getByLabel('Details from the service').press('Control+v')
  await dialog.getByText('Filled in: Service URL, API key and Secret.').waitFor()
  for (const [label, value] of entries(emulator, nowhere)) {
    const field = dialog.getByLabel(label, { exact: true })
    if (['Name', 'Site ID', 'Callback URL'].includes(label)) await field.fill(value)
    else expect(await field.inputValue()).toBe(value)
  }
  expect(await dialog.textContent()).not.toContain(emulator.secret)
  await dialog.getByRole('button', { name: 'Add site' }).click()
  await page.getByText('Harbour Weekly is set up.').waitFor()
  await page.getByRole('button', { name: 'Test site' }).click()
  for (const found of ['It was not tried yet', 'The service responds.', 'This computer’s clock matches the service.']) {
    await page.getByText(found).waitFor()
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()

  // The way of a save ends nowhere until the callback URL is right.
  await heading(page, 'Test the callback')
  await page.getByText(`Listening at http://127.0.0.1:${port}`).waitFor()
  await page.getByRole('button', { name: 'Send a test callback' }).click()
  await page.getByText(/^The callback URL can’t be reached:/).waitFor()
  await page.getByText('How can the service reach this computer?').click()
  await page.getByRole('button', { name: 'Copy: A tunnel to your server' }).click()
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  await expect.poll(copied).toContain(`ssh -N -R 127.0.0.1:8787:127.0.0.1:${port} user@hooks.example.com`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit site' }).click()
  await dialog.getByLabel('Callback URL').fill(callbackUrl)
  await answerQuestions(app, 'first button')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send a test callback' }).click()
  await page.getByText('The callback URL reaches this computer.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await heading(page, 'Your first session')
  await page.getByLabel('Material ID').fill('stories/first')
  await page.getByLabel('Title').fill('The first story')
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await page.getByText('The session is open.').waitFor()
  await page.getByText('Waiting for the first save').waitFor()
  await expect.poll(openedAddresses).toHaveLength(1)
  const fingerprint = fingerprintIn((await openedAddresses())[0])
  const first = await emulator.save(fingerprint, aPage('The first story'))
  expect(first).toMatchObject({ result: 'merged' })
  await page.getByText('The first save arrived and was stored: The first story.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show the page' }).click()
  await inGrid(page, 'Materials')
    .filter({ hasText: 'The first story' })
    .filter({ hasText: 'Waiting for review' })
    .waitFor()

  // A version stays open while another save arrives, and so does what is being typed.
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await inGrid(page, 'Materials').filter({ hasText: 'The first story' }).click()
  const versions = inGrid(page, 'Versions')
  const shownId = page.getByRole('region', { name: 'The first story' }).locator('dd').first()
  await expect.poll(() => shownId.textContent()).toBe(first.version_id)
  await page.getByLabel('Note').fill('half a note')
  const second = await emulator.save(fingerprint, aPage('The first story, again'))
  await page.getByText('A newer version was received.').waitFor()
  await expect.poll(() => versions.count()).toBe(2)
  await expect.poll(() => shownId.textContent()).toBe(first.version_id)
  await goTo(page, 'Delivery')
  await goTo(page, 'Materials')
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('half a note')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => shownId.textContent()).toBe(second.version_id)
  await versions.nth(0).getByText('Current', { exact: true }).waitFor()
  const isSeen = await page.getByText('Current', { exact: true }).evaluate((badge) => {
    const { x, y, width, height } = badge.getBoundingClientRect()
    return document.elementFromPoint(x + width - 3, y + height / 2) === badge
  })
  expect(isSeen, 'the badge is not cut off').toBe(true)

  // A save of a page that nobody opened here is refused with its reason, which leads to opening the page.
  const stranger = await emulator.openPastGalley('stories/unknown', callbackUrl)
  expect(await emulator.save(stranger.fingerprint, aPage('Unknown'))).not.toMatchObject({ result: 'merged' })
  await goTo(page, 'Delivery')
  await inGrid(page, 'Callbacks').filter({ hasText: 'Blocked by rule' }).click()
  const verdict = page.getByRole('region', { name: 'What happened and what to do' })
  await verdict.getByText('never opened here').waitFor()
  await verdict.getByRole('button', { name: 'Open in editor…' }).click()
  await expect.poll(() => dialog.getByLabel('Material ID').inputValue()).toBe('stories/unknown')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => 'isSamePage' in globalThis), 'the page was never loaded again').toBe(true)
  await close()

  const again = await startApp({ library, port })
  await expectListener(again.page, 'Listening')
  await goTo(again.page, 'Materials')
  await inGrid(again.page, 'Materials').filter({ hasText: 'The first story' }).waitFor()
  await expect.poll(() => again.page.getByText('Welcome to Galley').count()).toBe(0)
  // The secret is still in the keychain.
  expect(await emulator.save(fingerprint, aPage('A third time'))).toMatchObject({ result: 'merged' })
  await again.close()
})

test('the same by keyboard alone, past the steps that can wait', async () => {
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
  await tabTo(page, 'Material ID')
  await page.keyboard.type('stories/keys')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Written by keys')
  await page.keyboard.press('Enter')
  await expect.poll(openedAddresses).toHaveLength(1)
  const fingerprint = fingerprintIn((await openedAddresses())[0])
  expect(await emulator.save(fingerprint, aPage('Written by keys'))).toMatchObject({ result: 'merged' })
  await page.getByText('The first save arrived').waitFor()
  await press('Show the page')
  await inGrid(page, 'Materials')
    .filter({ hasText: 'Written by keys' })
    .filter({ hasText: 'Waiting for review' })
    .waitFor()
  await close()
})

test('a problem is reported at its step, with what to do, and all steps can be skipped', async () => {
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
  await page.locator(openDialog).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Add your first site').waitFor()
  await close()
})
