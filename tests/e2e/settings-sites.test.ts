import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, goToChecks, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { disturbCalls } from './support/calls.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { merged, secret } from './support/harbour-site.ts'
import { aPage, startEmulator } from './support/service.ts'
import { choose, showSection } from './support/settings.ts'
import { startTunnel } from './support/tunnel.ts'

test('sites: added, corrected, tested, exported without secrets, removed, imported, given their secret again', async () => {
  const port = await aFreePort()
  const emulator = await startEmulator({ secret, signatureHeader: 'X-Harbour-Sign' })
  // The service has another origin than its archives.
  const service = await startTunnel(Number(new URL(emulator.url).port))
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  const { app, page, close } = await startApp({ library: join(await aFolder(), 'library'), port })
  await expectListener(page, 'Listening')
  await showSection(page, 'Sites')
  await page.getByText('No sites yet').waitFor()

  await page.getByRole('main').getByRole('button', { name: 'Add site' }).click()
  const adding = page.getByRole('dialog', { name: 'Add site' })
  // Without input, all missing fields are reported together, and fields derived from the name are filled in.
  await adding.getByRole('button', { name: 'Add site' }).click()
  await expect.poll(() => adding.locator('[aria-invalid="true"]').count()).toBe(5)
  await adding.getByLabel('Name', { exact: true }).fill('Häfen & Boote')
  await expect.poll(() => adding.getByLabel('Site ID').inputValue()).toBe('hafen-boote')
  // The callback URL follows from the listener only where the service can reach it.
  const shownCallback = () => adding.getByLabel('Callback URL').inputValue()
  await adding.getByLabel('Service URL').fill('https://editor.example/integration')
  await expect.poll(() => shownCallback()).toBe('')
  await adding.getByLabel('Service URL').fill(`${service.url}/integration`)
  await expect.poll(shownCallback).toBe(`http://127.0.0.1:${port}/callback/hafen-boote`)
  await adding.getByLabel('Service URL').fill('https://editor.example/integration')
  await adding.getByLabel('Callback URL').fill(callbackUrl)
  await adding.getByRole('button', { name: 'Add site' }).click()
  await adding.getByText(/so no save can arrive/).waitFor()
  await adding.getByText('More settings').click()
  for (const [label, value] of [
    ['Name', 'Harbour'],
    ['Site ID', 'harbour'],
    ['Service URL', `${service.url}/integration`],
    ['API key', emulator.apiKey],
    ['Secret', secret],
    ['Callback URL', callbackUrl],
    ['Signature header', 'Authorization'],
    ['Additional download origins', `${emulator.url}/files`],
  ] as const) {
    await adding.getByLabel(label, { exact: true }).fill(value)
  }
  await choose(page, 'Saves for unknown materials', 'Accept')
  const submit = adding.getByRole('button', { name: 'Add site' })
  // An invalid value is reported at its field, which gets the focus, and all input stays.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
  await submit.click()
  await adding.getByText('Enter a scheme and host').waitFor()
  await adding.getByText('Reserved headers such as Authorization').waitFor()
  await expect.poll(focused).toBe('signatureHeader')
  await adding.getByLabel('Additional download origins').fill('')
  await adding.getByLabel('Signature header').fill('X-Harbour-Sign')
  await submit.click()
  await adding.waitFor({ state: 'detached' })
  const site = page.getByRole('listitem', { name: 'Harbour', exact: true })
  await site.getByText('Secret stored').waitFor()

  await site.getByRole('button', { name: 'Test: Harbour' }).click()
  const checks = page.getByRole('status', { name: 'Test results for Harbour' })
  await checks.getByText('The callback URL reaches this computer.').waitFor()
  await checks.getByText(/It was not tried yet/).waitFor()
  await expect.poll(() => checks.getByText('Passed', { exact: true }).count()).toBe(7)

  // Archives from a disallowed address are not fetched. Once it is allowed, they are, with the site's signature
  // header.
  const { fingerprint } = await emulator.openPastGalley('stories/quay', callbackUrl)
  const save = (heading: string) => emulator.save(fingerprint, aPage(heading))
  expect(await save('One')).not.toMatchObject(merged)
  await site.getByRole('button', { name: 'Edit: Harbour' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Harbour' })
  await editing.getByLabel('Additional download origins').fill(emulator.url)
  // Escape asks, and returns to the input.
  await page.keyboard.press('Escape')
  await editing.getByText('Discard changes?').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keep editing')
  await page.keyboard.press('Escape')
  await editing.getByText('Discard changes?').waitFor({ state: 'detached' })
  await expect.poll(() => editing.getByLabel('Additional download origins').inputValue()).toBe(emulator.url)
  // A person decides in a system dialog where signatures are sent. Pressing Return changes nothing.
  await answerQuestions(app, 'return key')
  await editing.getByRole('button', { name: 'Save changes' }).click()
  await editing.getByText('This was not confirmed, so nothing was changed.').waitFor()
  const asked = await answerQuestions(app, 'first button')
  await editing.getByRole('button', { name: 'Save changes' }).click()
  await editing.waitFor({ state: 'detached' })
  expect((await asked())[0]?.detail).toContain(`Additional download origins:\nfrom none\nto ${emulator.url}`)
  expect(await save('Two')).toMatchObject(merged)

  const file = join(await aFolder(), 'sites.json')
  await answerDialogs(app, file, file)
  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByText('1 site exported, without its secret.').waitFor()
  const exported = await readFile(file, 'utf8')
  expect(exported).toContain('X-Harbour-Sign')
  expect(exported).not.toContain(secret)

  // The menu of a site has what its buttons do.
  const buttons = await site.getByRole('button').allTextContents()
  await site.click({ button: 'right', position: { x: 2, y: 2 } })
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(buttons)
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const removing = page.getByRole('dialog', { name: 'Remove Harbour (Development)?' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  await removing.getByRole('button', { name: 'Remove Harbour' }).click()
  await removing.waitFor({ state: 'detached' })
  await page.getByText('No sites yet').waitFor()
  expect(await save('Three')).not.toMatchObject(merged)

  await page.getByRole('button', { name: 'Import…' }).click()
  const importing = page.getByRole('dialog', { name: 'Import sites' })
  for (const value of [`${service.url}/integration`, callbackUrl, 'listener']) {
    await importing.getByRole('definition').filter({ hasText: value }).first().waitFor()
  }
  const goOn = await disturbCalls(app, { importSites: 'fails' })
  await importing.getByRole('button', { name: 'Import 1 site' }).click()
  await importing.getByText('Galley couldn’t finish this.').waitFor()
  await goOn()
  await importing.getByRole('button', { name: 'Import 1 site' }).click()
  await site.getByText('Addresses not confirmed').waitFor()
  await site.getByText('Secret missing').waitFor()
  expect(await save('Not exported yet')).toMatchObject({ result: 'webhook_failed', http_status: 503 })
  // With the keyboard only: the first button of the site, and the system dialog.
  const cancelled = await answerQuestions(app, 'return key')
  await site.getByRole('button', { name: 'Confirm addresses…: Harbour' }).press('Enter')
  await expect.poll(async () => (await cancelled()).length).toBe(1)
  await site.getByText('Addresses not confirmed').waitFor()
  const askedAboutAll = await answerQuestions(app, 'first button')
  await site.getByRole('button', { name: 'Confirm addresses…: Harbour' }).press('Enter')
  await site.getByText('Addresses not confirmed').waitFor({ state: 'detached' })
  const [question] = await askedAboutAll()
  expect(question?.message).toBe('Use these addresses for “Harbour”?')
  for (const value of [`${service.url}/integration`, callbackUrl, emulator.apiKey, emulator.url]) {
    expect(question?.detail).toContain(value)
  }
  await site.getByRole('button', { name: 'Enter secret: Harbour' }).click()
  await editing.getByLabel('Secret', { exact: true }).fill(secret)
  await editing.getByRole('button', { name: 'Save changes' }).click()
  await site.getByText('Secret stored').waitFor()
  expect(await save('Four')).toMatchObject(merged)

  // An invalid file.
  await answerDialogs(app, join(await aFolder(), 'nothing.json'))
  await page.getByRole('button', { name: 'Import…' }).click()
  await page.getByText('The file could not be read or written.').waitFor()
  await close()
})

test('plain http of a production site is reported at its field and allowed by a checkbox', async () => {
  const library = join(await aFolder(), 'library')
  const { app, page, close } = await startApp({ library, port: await aFreePort() })
  await showSection(page, 'Sites')
  await page.getByRole('main').getByRole('button', { name: 'Add site' }).click()
  const adding = page.getByRole('dialog', { name: 'Add site' })
  for (const [label, value] of [
    ['Name', 'Quay'],
    ['Site ID', 'quay'],
    ['Service URL', 'http://service.invalid/integration'],
    ['API key', 'key'],
    ['Callback URL', 'https://cms.invalid/callback/quay'],
  ] as const) {
    await adding.getByLabel(label, { exact: true }).fill(value)
  }
  const warning = adding.getByText('This address isn’t encrypted')
  const allow = adding.getByRole('checkbox', { name: 'Allow unencrypted http for this site' })
  expect([await warning.count(), await allow.count()]).toEqual([0, 0])
  await choose(page, 'Environment', 'Production')
  await warning.waitFor()
  await adding.getByLabel('Callback URL', { exact: true }).fill('http://cms.invalid/callback/quay')
  expect([await warning.count(), await allow.count()]).toEqual([2, 1])
  await expectAccessible(page, 'plain http in the form')
  const submit = adding.getByRole('button', { name: 'Add site' })
  await submit.click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('baseUrl')
  await allow.click()
  await warning.first().waitFor({ state: 'detached' })
  const asked = await answerQuestions(app, 'first button')
  await submit.click()
  await adding.waitFor({ state: 'detached' })
  expect((await asked())[0]?.message).toBe('Use these addresses for “Quay”?')

  const line = page.getByRole('listitem', { name: 'Encryption', exact: true })
  await goToChecks(page)
  await line
    .getByText('Quay uses unencrypted connections to service.invalid, cms.invalid, which you allowed.')
    .waitFor()

  await close()
})
