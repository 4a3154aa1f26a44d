import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { disturbCalls, goOffline } from './support/calls.ts'
import { tabTo } from './support/keyboard.ts'
import { aPage } from './support/service.ts'
import { isOpened, startSiteWindow } from './support/site-window.ts'

/** The current metadata in the editor. */
const metadataNow = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Metadata' })
    .evaluate((field) => (field as HTMLElement).innerText)

test('the editor opens with what the preview showed: metadata checked, compared and sent as it was written', async () => {
  const started = await startSiteWindow()
  const { app, page, saveInOpened, openedAddresses, command, material, close } = started
  const press = (key: string) => page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  const alert = dialog.getByRole('alert')
  const changes = dialog.getByRole('list', { name: 'Changes since last time' }).getByRole('listitem')
  const warnings = dialog.getByRole('list', { name: 'Warnings' }).getByRole('listitem')
  const write = async (text: string): Promise<void> => {
    await press('Control+a')
    await page.keyboard.insertText(text)
  }

  // A new material by keyboard: an id, a title, and its metadata before anything is sent.
  await page.getByText('No materials yet').waitFor()
  await press('Control+n')
  await dialog.waitFor()
  await page.keyboard.type('stories/ferry')
  await press('Tab')
  await page.keyboard.type('The last ferry')
  await tabTo(page, 'Metadata…')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Open in editor' }).getByText('An empty page').waitFor()
  await expect.poll(() => dialog.textContent()).toMatch(/stories\/ferry.*The last ferry.*127\.0\.0\.1.*callback\/press/)
  await tabTo(page, 'Metadata')
  await write('{"desk": "travel",')
  await alert.getByText('Invalid JSON at line 1, column 19.').waitFor()
  await press('Control+Enter')
  await write('{"webhook_auth_user": "me"}')
  await alert.getByText('“webhook_auth_user” can’t be set here').waitFor()
  const submit = dialog.getByRole('button', { name: 'Open in editor' })
  await expect.poll(() => submit.getAttribute('aria-disabled')).toBe('true')
  await submit.press('Enter')
  expect(await openedAddresses()).toHaveLength(0)
  expect(await isOpened(started, 'stories/ferry')).toBe(false)
  await tabTo(page, 'Metadata')
  const sent = '{"desk": "travel", "api_token": "7f3a-91", "size": 1.0}'
  await write(sent)
  await alert.waitFor({ state: 'detached' })
  await expect
    .poll(() => warnings.allTextContents())
    .toStrictEqual(['“api_token” sounds like a secret. Anyone with the session can read it.'])
  await expect.poll(() => changes.allTextContents()).toStrictEqual(['+desk"travel"', '+api_token"7f3a-91"', '+size1.0'])
  await expectAccessible(page)
  await tabTo(page, 'Open in editor')
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Opened in your browser.').waitFor()
  expect(await openedAddresses()).toHaveLength(1)
  expect(await material('stories/ferry')).toMatchObject({ title: 'The last ferry', status: 'unsaved' })

  // The service has the metadata: it returns with the save, and likely secrets are redacted.
  const { version_id: versionId } = await saveInOpened(aPage('The last ferry'))
  const metadataOf = async (id: string | undefined) => {
    const shown = await command('show', 'version', 'press', 'stories/ferry', `${id}`, '--metadata')
    return (shown as { metadata: object }).metadata
  }
  await expect
    .poll(() => metadataOf(versionId))
    .toMatchObject({
      desk: 'travel',
      api_token: '[redacted]',
      size: 1,
    })
  await page.getByRole('tab', { name: 'Metadata' }).click()
  const shown = page.getByLabel('Metadata (JSON)')
  await expect.poll(() => shown.textContent()).toContain('"size": 1.0')
  await expect.poll(() => shown.textContent()).not.toContain('7f3a-91')

  // The same with the mouse: first without changes, then with differences. Cancelling sends nothing.
  const openButton = page
    .getByRole('region', { name: 'The last ferry' })
    .getByRole('button', { name: 'Open in editor' })
  await press('Control+Enter')
  await dialog.getByText(`${versionId}`).waitFor()
  await dialog.getByText('Same as last time.').waitFor()
  await expect.poll(() => metadataNow(page)).toContain('"desk": "travel"')
  await dialog.getByRole('textbox', { name: 'Metadata' }).click()
  await write('{"desk": "food", "size": 1.0, "issue": 4}')
  await expect
    .poll(() => changes.allTextContents())
    .toStrictEqual(['~desk"travel" → "food"', '+issue4', '−api_token"7f3a-91"'])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => metadataNow(page)).toContain('"issue": 4')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await openedAddresses()).toHaveLength(1)
  await press('Control+Enter')
  await dialog.getByRole('textbox', { name: 'Metadata' }).click()
  await write('{"desk": "food"}')
  await dialog.getByRole('button', { name: 'Open in editor' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await openedAddresses()).toHaveLength(2)
  const { version_id: second } = await saveInOpened(aPage('The very last ferry'))
  const metadata = await metadataOf(second)
  expect(metadata).toMatchObject({ desk: 'food' })
  expect(metadata).not.toHaveProperty('api_token')

  // Without the form it sends the last metadata; a setting brings the form back.
  await openButton.click()
  await expect.poll(openedAddresses).toHaveLength(3)
  await expect.poll(() => dialog.count()).toBe(0)
  const { version_id: third } = await saveInOpened(aPage('The very last ferry, again'))
  expect(await metadataOf(third)).toMatchObject({ desk: 'food' })
  await page.evaluate(() => window.galley.call('changeSettings', { showsWhatIsSent: true }))
  await openButton.click()
  await dialog.getByText('Same as last time.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open in editor')
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(openedAddresses).toHaveLength(4)

  // A session that lacks its secret leads to where the secret is entered.
  const asked = { site: 'press', materialId: 'stories/ferry' }
  const preview = await page.evaluate((asked) => window.galley.call('previewOpen', asked), asked)
  if (!preview.ok) throw new Error('There is no preview')
  const value = { ...preview.value, lacksSecrets: 'missing' } as const
  const calmDown = await disturbCalls(app, { previewOpen: { answers: { ok: true, value } } })
  await openButton.click()
  await page.getByRole('dialog', { name: 'Open in editor' }).getByRole('button', { name: 'Enter secret' }).click()
  await page.getByRole('dialog', { name: 'Edit Press' }).waitFor()
  await calmDown()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // Without the service: a message, nothing is lost, and the library remains usable.
  await started.emulator.close()
  const goOnline = await goOffline(page)
  await press('Control+Enter')
  await dialog.getByText('You’re offline').waitFor()
  await dialog.getByRole('button', { name: 'Open in editor' }).click()
  await dialog.getByText(/^The service can’t be reached: .* No session was opened/).waitFor()
  await expect.poll(() => metadataNow(page)).toContain('"desk": "food"')
  await expectAccessible(page)
  await press('Escape')
  await goOnline()
  await expect.poll(() => inGrid(page, 'Versions').count()).toBe(3)
  await close()
})
