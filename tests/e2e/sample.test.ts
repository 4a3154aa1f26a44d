import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, inGrid, recordOpenedAddresses, startApp } from './support/app.ts'
import { answerQuestions } from './support/dialogs.ts'
import { aPage, fingerprintIn } from './support/service.ts'

test('the sample survives a quit: it goes on by one click or by itself, and is deleted whole', async () => {
  const library = join(await aFolder(), 'library')
  const port = await aFreePort()
  const first = await startApp({ library, port })
  await expectListener(first.page, 'Listening')
  await first.page.getByRole('button', { name: 'Try it now' }).click()
  await first.page.getByRole('button', { name: /^Site: .*DEV$/ }).waitFor()
  await inGrid(first.page, 'Materials').filter({ hasText: 'A weekend by the harbour' }).waitFor()
  await expect.poll(() => first.page.locator('[data-announcer="polite"]').textContent()).toMatch(/arrived|Stored/)
  await first.close()

  // One click starts it again, without asking for a secret.
  const second = await startApp({ library, port })
  await expectListener(second.page, 'Listening')
  const notice = second.page.getByText('The sample service stopped when Galley quit.')
  await notice.waitFor()
  await expect.poll(() => second.page.getByText('No secret is stored').count()).toBe(0)
  await second.page.getByRole('button', { name: 'Start the sample' }).click()
  await notice.waitFor({ state: 'detached' })
  await expect.poll(() => inGrid(second.page, 'Materials').count()).toBe(3)
  await second.close()

  // Opening one of its pages also starts it, with the saved page.
  const { app, page, close } = await startApp({ library, port })
  await expectListener(page, 'Listening')
  const openedAddresses = await recordOpenedAddresses(app)
  const weekend = inGrid(page, 'Materials').filter({ hasText: 'A weekend by the harbour' })
  await weekend.click()
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await expect.poll(openedAddresses).toHaveLength(1)
  const [address = ''] = await openedAddresses()
  expect((await fetch(address)).headers.get('content-type')).toContain('text/html')
  const saved = await fetch(new URL(`/_emulator/sessions/${fingerprintIn(address)}/save`, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aPage('A weekend by the sea')),
  })
  expect(await saved.json()).toMatchObject({ result: 'merged' })
  await expect.poll(() => inGrid(page, 'Versions').count()).toBe(3)

  const remove = async () => {
    await page.getByRole('button', { name: /^Site:/ }).click()
    await page.getByRole('menuitem', { name: 'Edit site' }).click()
    await page.getByRole('button', { name: 'Remove site…' }).click()
    await page.getByText('This deletes the whole sample').waitFor()
    await page.getByRole('button', { name: /^Remove Harbour Weekly/ }).click()
  }
  const asked = await answerQuestions(app, 'first button')
  await remove()
  await page.getByRole('button', { name: 'Try it now' }).waitFor()
  expect((await asked())[0]?.detail).toContain('4 versions will be deleted')
  expect(await page.evaluate(() => window.galley.call('readHealth', undefined))).toMatchObject({
    library: { materials: 0, versions: 0 },
  })
  await close()
})
