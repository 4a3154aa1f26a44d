import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, goTo, inGrid, recordOpenedAddresses, startApp } from './support/app.ts'
import { aPage, fingerprintIn, startEmulator } from './support/service.ts'

// From an empty library to the first version, by mouse, with the real keychain of the test session.

test('a site is added, a session opened, and every save appears as it arrives', { timeout: 90_000 }, async () => {
  const secret = `harbour ${crypto.randomUUID()}`
  const emulator = await startEmulator({ secret })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { app, page, close } = await startApp({ library, port })
  const openedAddresses = await recordOpenedAddresses(app)
  await expectListener(page, 'Listening')
  expect(await page.getByRole('status', { name: 'Listener' }).textContent()).toContain(`:${port}`)

  // Adding the site: errors are shown at their fields, and no input is lost.
  await page.getByRole('button', { name: 'Skip setup' }).click()
  await page.getByRole('button', { name: 'Add site' }).click()
  const dialog = page.getByRole('dialog')
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  await dialog.getByLabel('Name', { exact: true }).fill('Harbour Weekly')
  await dialog.getByLabel('Site ID').fill('harbour')
  await dialog.getByLabel('Service URL').fill('not an address')
  await dialog.getByLabel('API key').fill(emulator.apiKey)
  await dialog.getByLabel('Secret').fill(secret)
  await dialog.getByLabel('Callback URL').fill(callbackUrl)
  await dialog.getByRole('button', { name: 'Add site' }).click()
  await dialog.getByText('Enter an http or https URL').waitFor()
  expect(await dialog.getByLabel('Secret').inputValue()).toBe(secret)
  await dialog.getByLabel('Service URL').fill(emulator.baseUrl)
  await dialog.getByRole('button', { name: 'Add site' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Site: Harbour Weekly DEV' }).waitFor()

  // Opening a session: the URL is passed only to the browser.
  await page.getByRole('button', { name: 'New material' }).first().click()
  await dialog.getByLabel('Material ID').fill('stories/quay')
  await dialog.getByLabel('Title').fill('The old quay')
  await dialog.getByRole('button', { name: 'Open in editor' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(openedAddresses).toHaveLength(1)
  const editorUrl = new URL((await openedAddresses())[0] ?? '')
  expect(editorUrl.origin).toBe(new URL(emulator.url).origin)
  await page.getByText('Opened in your browser').waitFor()
  const fingerprint = fingerprintIn(editorUrl.href)

  // A save arrives while the window is visible.
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  const first = await emulator.save(fingerprint, aPage('The old quay at dawn'))
  expect(first).toMatchObject({ result: 'merged' })
  const materials = inGrid(page, 'Materials')
  await materials.filter({ hasText: 'The old quay' }).click()
  const versions = inGrid(page, 'Versions')
  const shownId = page.getByRole('region', { name: 'The old quay' }).locator('dd').first()
  await expect.poll(() => shownId.textContent()).toBe(first.version_id)
  // Another save arrives while a note is being written: the selection and the input stay.
  await page.getByLabel('Note').fill('half a note')
  const second = await emulator.save(fingerprint, aPage('The old quay at dusk'))
  await expect.poll(() => versions.count()).toBe(2)
  await page.getByText('A newer version was received.').waitFor()
  expect(await shownId.textContent()).toBe(first.version_id)
  await goTo(page, 'Callbacks')
  await goTo(page, 'Materials')
  expect(await page.getByLabel('Note').inputValue()).toBe('half a note')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => shownId.textContent()).toBe(second.version_id)
  expect(await versions.nth(0).textContent()).toContain('Current')
  expect(await versions.nth(1).textContent()).not.toContain('Current')
  const isSeen = await page.getByText('Current', { exact: true }).evaluate((badge) => {
    const { x, y, width, height } = badge.getBoundingClientRect()
    return document.elementFromPoint(x + width - 3, y + height / 2) === badge
  })
  expect(isSeen, 'the badge is not cut off').toBe(true)

  // The contents of a version.
  await versions.nth(1).click()
  await page.getByRole('tab', { name: 'Media' }).click()
  await page.getByRole('tabpanel').getByText('hero.png').first().waitFor()
  await page.getByRole('tab', { name: 'HTML' }).click()
  const source = page.getByLabel('HTML source')
  await source.getByText('The old quay at dawn').waitFor()
  const html = (await source.textContent()) ?? ''
  expect(html).not.toContain('dummy-')
  const media = /src="([^"]+)"/.exec(html)?.[1] ?? ''
  expect(await (await fetch(media)).text()).toBe('picture of The old quay at dawn')
  await page.getByRole('tab', { name: 'Metadata' }).click()
  await page
    .getByLabel('Metadata (JSON)')
    .getByText(first.version_id ?? 'none')
    .waitFor()

  // A save that is refused, with its reason.
  const stranger = await emulator.openPastGalley('stories/unknown', callbackUrl)
  await emulator.save(stranger.fingerprint, aPage('Nobody opened this here'))
  await goTo(page, 'Callbacks')
  const callbacks = inGrid(page, 'Callbacks')
  await expect.poll(() => callbacks.count()).toBe(3)
  await callbacks.filter({ hasText: 'Blocked by rule' }).click()
  const verdict = page.getByRole('region', { name: 'What happened and what to do' })
  expect(await verdict.textContent()).toMatch(/^Blocked by rule.*never opened here/)
  const unknown = { site: 'harbour', materialId: 'stories/unknown' }
  expect(await page.evaluate((unknown) => window.galley.call('findMaterial', unknown), unknown)).toBeNull()

  // Fonts, live.
  await goTo(page, 'Fonts')
  await page.getByText('No font sets yet').waitFor()
  const fonts = await emulator.saveFonts(callbackUrl)
  expect(fonts).toMatchObject({ result: 'merged' })
  await inGrid(page, 'Fonts')
    .filter({ hasText: fonts.snapshot_id ?? '' })
    .click()
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.getByRole('list', { name: 'Font files' }).getByText('inter-latin.woff2').waitFor()

  // Search finds the text of the page.
  await page.keyboard.press('Control+1')
  await page.getByRole('textbox', { name: 'Search materials' }).fill('dusk')
  await expect.poll(() => materials.count()).toBe(1)
  await page.getByRole('textbox', { name: 'Search materials' }).fill('zeppelin')
  await page.getByText('No materials contain').waitFor()

  expect(await page.evaluate(() => 'isSamePage' in globalThis), 'the page was never loaded again').toBe(true)
  expect(await openedAddresses()).toHaveLength(1)
  await close()

  // Everything is restored, and the secret is still in the keychain.
  const again = await startApp({ library, port })
  await expectListener(again.page, 'Listening')
  await inGrid(again.page, 'Materials').filter({ hasText: 'The old quay' }).waitFor()
  expect(await emulator.save(fingerprint, aPage('The old quay by night'))).toMatchObject({ result: 'merged' })
  await again.close()
})
