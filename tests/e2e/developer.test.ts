import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { addSite } from './support/add-site.ts'
import { aFolder, aFreePort, expectListener, goTo, inGrid, recordOpenedAddresses, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { merged, secret, secretsAside } from './support/harbour-site.ts'
import { aPage, fingerprintIn } from './support/service.ts'
import { choose } from './support/settings.ts'

test('the developer section: self-test, a fault of the emulator, and the kit against the own listener', async () => {
  const [port, servicePort] = [await aFreePort(), await aFreePort()]
  const service = { baseUrl: `http://127.0.0.1:${servicePort}/integration`, apiKey: 'harbour-key' }
  const library = join(await aFolder(), 'library')
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  await addSite(library, secretsAside, service, { id: 'harbour', name: 'Harbour', callbackUrl })
  const { app, page, close } = await startApp({ library, port, environment: secretsAside })
  await expectListener(page, 'Listening')

  // The palette leads there.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('emulator')
  await page.getByRole('option', { name: /Emulator and faults/ }).click()
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Developer' }).waitFor()

  // With the emulator, by keyboard.
  await main.getByRole('button', { name: 'Start emulator' }).press('Enter')
  await main.getByText(service.baseUrl, { exact: true }).waitFor()
  const opened = await recordOpenedAddresses(app)
  await main.getByRole('button', { name: 'Open start page' }).press('Enter')
  await expect.poll(opened).toEqual([`http://127.0.0.1:${servicePort}`])

  await main.getByRole('button', { name: 'Run self-test' }).press('Enter')
  const checks = main.getByRole('status', { name: 'Test results for Harbour' })
  await checks.getByText('The callback URL reaches this computer.').waitFor()

  // A fault that is ordered happens to the next save, and the log of callbacks shows it.
  await choose(page, 'Fault for the next callback or download that it applies to', faultWords)
  await main.getByRole('button', { name: 'Order fault' }).press('Enter')
  await main.getByText('wrong_signature', { exact: true }).waitFor()
  await expectAccessible(page, 'with an emulator')
  const open = { site: 'harbour', materialId: 'stories/quay', title: null, slug: null }
  const session = await page.evaluate((wanted) => window.galley.call('openEditor', wanted), open)
  const fingerprint = fingerprintIn(session.ok ? session.value.url : undefined)
  const save = async () => {
    const saved = await fetch(`http://127.0.0.1:${servicePort}/_emulator/sessions/${fingerprint}/save`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aPage('The quay')),
    })
    return saved.json()
  }
  expect(await save()).not.toMatchObject(merged)
  await main.getByText('No fault is ordered.').waitFor()
  await goTo(page, 'Delivery')
  await inGrid(page, 'Callbacks').filter({ hasText: 'Rejected' }).first().click()
  await page.getByText('The signature doesn’t match this site’s secret.').first().waitFor()
  await goTo(page, 'Settings')
  expect(await save()).toMatchObject(merged)

  // The kit needs the address of the emulator, and says so.
  const run = main.getByRole('button', { name: 'Run…' })
  await run.press('Enter')
  await main.getByText('The emulator of this site listens there.').waitFor()
  await main.getByRole('button', { name: 'Stop emulator' }).press('Enter')
  await main.getByRole('button', { name: 'Start emulator' }).waitFor()

  // A few cases. Without a person's answer nothing is sent.
  const all = main.getByRole('checkbox', { name: 'All', exact: true })
  await all.press('Space')
  await run.press('Enter')
  await main.getByText('Choose at least one theme.').waitFor()
  await main.getByRole('checkbox', { name: 'Signature' }).press('Space')
  const refused = await answerQuestions(app, 'return key')
  await run.press('Enter')
  await main.getByText('This was not confirmed, so nothing was changed.').waitFor()
  expect((await refused())[0]?.detail).toContain(callbackUrl)
  await answerQuestions(app, 'first button')
  await run.press('Enter')
  const report = main.getByRole('region', { name: 'Report' }).or(main.locator('section', { hasText: 'Result for' }))
  await report.last().getByText('Passed', { exact: true }).first().waitFor()
  await main.getByText(/^\d+ cases passed$/).press('Enter')
  await main.getByText('signature-wrong', { exact: true }).waitFor()
  await expectAccessible(page, 'with a report')
  const file = join(await aFolder(), 'report.json')
  await answerDialogs(app, file)
  await main.getByRole('button', { name: 'Save as JSON…' }).press('Enter')
  await main.getByText(`Saved to ${file}`).waitFor()
  const saved = await readFile(file, 'utf8')
  expect(JSON.parse(saved)).toMatchObject({ failed: 0 })
  expect(saved).not.toContain(secret)

  // All cases, until the run is cancelled.
  await all.press('Space')
  await run.press('Enter')
  await main.getByText(/^[1-9]\d* of \d+ cases$/).waitFor()
  await main.getByRole('button', { name: 'Cancel run' }).press('Enter')
  await main.getByText('The run ended early').waitFor()
  await main.getByRole('button', { name: 'Cancel run' }).waitFor({ state: 'detached' })
  await close()
})

const faultWords = 'wrong_signature: the callback carries a wrong signature'
