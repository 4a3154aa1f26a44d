import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, recordOpenedAddresses, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, answerQuestions, openDialog } from './support/dialogs.ts'
import { aHarbourSite, merged, secret, secretsAside } from './support/harbour-site.ts'
import { heldRelaunch } from './support/held-relaunch.ts'
import { fromPalette } from './support/palette.ts'
import { aPage, fingerprintIn } from './support/service.ts'

/** Opens the move, for the old or the new computer. */
async function openMove(page: Page, computer: 'old' | 'new') {
  await fromPalette(page, 'new computer', 'Move to a new computer')
  const dialog = page.getByRole('dialog', { name: 'Move to a new computer' })
  await dialog.getByRole('tab', { name: `This is the ${computer} computer` }).click()
  return dialog
}

test('a library moves to a new computer: backup and list, restore, what is entered again, and a first save', async () => {
  const port = await aFreePort()
  const { library, emulator, save } = await aHarbourSite(port)
  const out = await aFolder()
  const [backup, restored] = [join(out, 'harbour.galley-backup'), join(out, 'restored')]

  const old = await startApp({ library, port, environment: secretsAside })
  await expectListener(old.page, 'Listening')
  expect(await save('The quay')).toMatchObject(merged)
  const from = await openMove(old.page, 'old')
  await from.getByText('[ ] Enter the secret').waitFor()
  await expectAccessible(old.page)
  await answerDialogs(old.app, backup)
  await from.getByRole('button', { name: 'Back up now…' }).click()
  await old.page.getByText('1 version, verified').waitFor()
  await (await openMove(old.page, 'old')).getByRole('button', { name: '3. Stop the listener' }).click()
  await expectListener(old.page, 'Stopped')
  await old.close()

  const empty = await startApp({ library: join(out, 'library'), port: await aFreePort() })
  await answerDialogs(empty.app, backup, restored)
  await (await openMove(empty.page, 'new')).getByRole('button', { name: 'Choose a backup…' }).click()
  const restoring = empty.page.getByRole('dialog', { name: 'Restore a backup' })
  await restoring.getByRole('button', { name: 'Choose backup' }).click()
  await restoring.getByText(backup, { exact: true }).waitFor()
  await restoring.getByRole('button', { name: 'Choose folder' }).click()
  await restoring.getByText(restored, { exact: true }).waitFor()
  await restoring.getByRole('button', { name: 'Restore', exact: true }).click()
  const relaunched = await heldRelaunch(empty.app)
  await empty.page.getByRole('button', { name: 'Open restored library' }).click()
  await relaunched()
  await empty.close()

  const { app, page, close } = await startApp({ library: restored, port })
  await answerQuestions(app, 'first button')
  const to = await openMove(page, 'new')
  for (const open of ['Confirm the addresses', 'Enter the secret']) await to.getByText(open, { exact: true }).waitFor()
  expect(await to.getByRole('button', { name: 'Try a save…' }).count()).toBe(0)
  await expectAccessible(page)
  await to.getByRole('button', { name: 'Enter and confirm…' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Harbour' })
  await editing.getByLabel('Secret', { exact: true }).fill(secret)
  await editing.getByRole('button', { name: 'Save changes' }).click()
  await editing.waitFor({ state: 'detached' })
  const entered = await openMove(page, 'new')
  for (const done of ['The addresses are confirmed', 'The secret is stored']) await entered.getByText(done).waitFor()
  const openedAddresses = await recordOpenedAddresses(app)
  await entered.getByRole('button', { name: 'Try a save…' }).click()
  await page.getByLabel('Material ID').fill('stories/quay')
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await expect.poll(openedAddresses).toHaveLength(1)
  const fingerprint = fingerprintIn((await openedAddresses())[0])
  expect(await emulator.save(fingerprint, aPage('The quay, from here'))).toMatchObject(merged)
  await page.getByText('The first save arrived and was stored').waitFor()
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })
  await close()
})
