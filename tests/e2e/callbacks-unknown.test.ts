import { join } from 'node:path'
import { expect, test } from 'vitest'

import { galley } from '../cli/support/cli.ts'
import { aFolder, aFreePort, expectListener, goTo, inGrid, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aPage, startEmulator } from './support/service.ts'

const secret = 'secret of the harbour'

test('a callback for an unknown material leads to opening that material', { timeout: 90_000 }, async () => {
  const emulator = await startEmulator({ secret })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_HARBOUR: secret }
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  const { baseUrl, apiKey } = emulator
  const site = ['--name', 'Harbour', '--base-url', baseUrl, '--api-key', apiKey, '--callback-url', callbackUrl]
  const added = await galley(['site', 'add', 'harbour', '--library', library, ...site], environment)
  expect(added.code, added.stderr).toBe(0)
  const { page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const { fingerprint } = await emulator.openPastGalley('stories/pier', callbackUrl)
  expect(await emulator.save(fingerprint, aPage('The pier'))).not.toMatchObject({ result: 'merged' })

  await goTo(page, 'Callbacks')
  await inGrid(page, 'Callbacks').first().click()
  const verdict = page.getByRole('region', { name: 'What happened and what to do' })
  await verdict.getByText('doesn’t know this material').waitFor()
  await verdict.getByRole('button', { name: 'Open in editor…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New material' })
  expect(await dialog.getByRole('textbox').first().inputValue()).toBe('stories/pier')
  await expectAccessible(page)
  await close()
})
