import { join } from 'node:path'
import { expect, test } from 'vitest'

import { isVerified, startReceiver } from '../library/webhook/receiver.ts'
import { addSite } from './support/add-site.ts'
import { aFolder, aFreePort, goTo, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerQuestions } from './support/dialogs.ts'
import { startEmulator } from './support/service.ts'
import { showSection } from './support/settings.ts'

test('a webhook: set, its secret shown once, tested, failing on Health, and sent again', async () => {
  const port = await aFreePort()
  const emulator = await startEmulator({ secret: 'secret of the quay' })
  const receiver = await startReceiver()
  const library = join(await aFolder(), 'library')
  const callbackUrl = `http://127.0.0.1:${port}/callback/quay`
  await addSite(library, { GALLEY_SECRETS: 'env', GALLEY_SECRET_QUAY: 'secret of the quay' }, emulator, {
    id: 'quay',
    name: 'The Quay',
    callbackUrl,
  })
  const { app, page, close } = await startApp({ library, port })
  await showSection(page, 'Webhook')
  const main = page.getByRole('main')
  await main.getByText('Off', { exact: true }).waitFor()

  // What cannot be a webhook is refused at its field.
  await main.getByLabel('URL of the receiver').fill('http://hooks.example/')
  await main.getByRole('button', { name: 'Save changes' }).click()
  await main.getByText('Plain http is allowed only for this computer').waitFor()

  // Without a person's answer nothing is set.
  const refused = await answerQuestions(app, 'return key')
  await main.getByLabel('URL of the receiver').fill(receiver.url)
  await main.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(async () => (await refused()).length).toBe(1)
  await main.getByText('Off', { exact: true }).waitFor()
  const asked = await answerQuestions(app, 'first button')
  await main.getByRole('button', { name: 'Save changes' }).click()
  await main.getByText('On: this computer sends what happens here').waitFor()
  expect((await asked())[0]?.detail).toContain(receiver.url)
  const secret = await main.getByLabel('New secret').textContent()
  expect(secret).toMatch(/^whsec_/)
  await expectAccessible(page)

  // A test is signed with that secret, which is shown no more.
  await main.getByRole('button', { name: 'Send a test' }).click()
  await main.getByText('The receiver accepted it (status 204).').waitFor()
  const [first] = receiver.received
  expect(first?.message).toMatchObject({ type: 'webhook.test', data: { site: 'quay' } })
  expect(first && isVerified(first, secret ?? '', new Date())).toBe(true)

  // A receiver that fails is a problem of the site, until it accepts something.
  receiver.state.answer = (response) => void response.writeHead(500).end()
  await main.getByRole('button', { name: 'Send a test' }).click()
  await main.getByText('Not delivered: it returned status 500.').waitFor()
  await goTo(page, 'Delivery')
  const line = page.getByRole('listitem', { name: 'Webhook of The Quay' })
  await line.getByText('it returned status 500').waitFor()
  await line.getByRole('button', { name: 'Show messages' }).click()
  const messages = page.getByRole('list', { name: 'Messages to the webhook' }).getByRole('listitem')
  await expect.poll(() => messages.count()).toBe(2)
  await messages.first().getByText('Tried once: it returned status 500.').waitFor()
  await expectAccessible(page)
  receiver.state.answer = (response) => void response.writeHead(204).end()
  await messages
    .first()
    .getByRole('button', { name: /^Send again/ })
    .click()
  await expect.poll(() => messages.getByText('Delivered').count()).toBe(2)
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received.at(-2)?.headers['webhook-id'])
  await goTo(page, 'Delivery')
  await line.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Callbacks', exact: true }).last().click()
  await page.getByRole('heading', { level: 2, name: /^Callbacks/ }).waitFor()
  await close()
})
