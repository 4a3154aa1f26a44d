import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'

import type { Behaviour } from '../support/s3-server.ts'
import { startS3Server } from '../support/s3-server.ts'
import { aFolder, aFreePort, expectListener, goTo, inGrid, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { aHarbourSite, merged, secretsAside } from './support/harbour-site.ts'
import { heldRelaunch } from './support/held-relaunch.ts'
import { showSection } from './support/settings.ts'

const secret = 'a-very-secret-key'
const environment = {
  ...secretsAside,
  GALLEY_TEAM_ACCESS_KEY_ID: 'KEYID',
  GALLEY_TEAM_SECRET_ACCESS_KEY: secret,
}

const mark = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: /^Team library/ })

/** Types where the bucket is, and its keys. */
async function fillIn(page: Page, name: string, endpoint: string) {
  const form = page.getByRole('dialog', { name })
  await form.getByLabel('Endpoint').fill(endpoint)
  await form.getByLabel('Bucket').fill('team')
  await form.getByLabel('Prefix (optional)').fill('library')
  await form.getByLabel('Access key ID').fill('KEYID')
  await form.getByLabel('Secret key').fill(secret)
  return form
}

test('a library is shared, joined elsewhere, followed and left', async () => {
  const outage = { isAway: false }
  const behaviour: Behaviour = { mishap: () => (outage.isAway ? 'cut_before' : null) }
  const storage = await startS3Server(behaviour)
  onTestFinished(storage.close)
  const port = await aFreePort()
  const { library, save } = await aHarbourSite(port)

  const first = await startApp({ library, environment, port })
  await expectListener(first.page, 'Listening')
  expect(await save('One')).toMatchObject(merged)
  await expect.poll(() => mark(first.page).count()).toBe(0)
  await showSection(first.page, 'Library')
  await first.page.getByText('only this computer receives saves').waitFor()
  await expectAccessible(first.page)
  await first.page.getByRole('button', { name: 'Share this library…' }).click()
  const sharing = await fillIn(first.page, 'Share this library with a team', storage.url)
  await expect.poll(() => sharing.getByLabel('Secret key').getAttribute('type')).toBe('password')
  await expectAccessible(first.page)
  await answerQuestions(first.app, 'return key')
  await sharing.getByRole('button', { name: 'Test bucket' }).click()
  await sharing.getByText('This was not confirmed').waitFor()
  const asked = await answerQuestions(first.app, 'first button')
  await sharing.getByRole('button', { name: 'Test bucket' }).click()
  await sharing.getByText('Tested with 22 requests').waitFor()
  await expectAccessible(first.page)
  await sharing.getByRole('button', { name: 'Share library' }).click()
  await mark(first.page).getByText('Up to date').waitFor()
  // The dialog's button is gone, so the focus is in its pane.
  const focusedPane = () => first.page.evaluate(() => document.activeElement?.closest('[data-pane]')?.tagName)
  await expect.poll(focusedPane).toBe('SECTION')
  expect((await asked())[0]?.detail).toContain(storage.url)
  // The window continues with the library in its new state: it lists and receives saves.
  await first.page.getByText('s3://team/library', { exact: true }).waitFor()
  await expectListener(first.page, 'Listening')
  expect(await save('Two')).toMatchObject(merged)
  await goTo(first.page, 'Materials')
  await inGrid(first.page, 'Materials').first().waitFor()
  expect(await first.page.content()).not.toContain(secret)
  // Data on other computers is not erased from here.
  await showSection(first.page, 'Library')
  await first.page.getByLabel('E-mail address').fill('nobody@else.example')
  await first.page.getByRole('button', { name: 'Find', exact: true }).click()
  await first.page.getByText('The team’s other computers keep their own callbacks').waitFor()

  // Another computer.
  const second = await startApp({ library: join(await aFolder(), 'own'), environment, port: await aFreePort() })
  await second.page.getByRole('button', { name: 'Skip setup' }).click()
  await showSection(second.page, 'Library')
  await second.page.getByRole('button', { name: 'Join a team library…' }).click()
  const joining = await fillIn(second.page, 'Join a team library', storage.url)
  // The result of the test is shown before joining, and applies only to the tested values.
  const asksOnce = await answerQuestions(second.app, 'first button')
  await joining.getByRole('button', { name: 'Test bucket' }).click()
  await joining.getByText('The bucket can be used').waitFor()
  await joining.getByText('Can read and write').waitFor()
  await joining.getByLabel('Secret key').fill('another-key')
  await joining.getByRole('button', { name: 'Test bucket' }).waitFor()
  await joining.getByLabel('Secret key').fill(secret)
  await expectAccessible(second.page)
  await joining.getByRole('button', { name: 'Join', exact: true }).click()
  await joining.getByText('Choose a folder.').waitFor()
  const folder = join(await aFolder(), 'member')
  await mkdir(folder)
  await answerDialogs(second.app, folder)
  await joining.getByRole('button', { name: 'Choose…' }).click()
  await joining.getByRole('button', { name: 'Join', exact: true }).click()
  expect(await asksOnce()).toHaveLength(1)
  const relaunched = await heldRelaunch(second.app)
  await second.page.getByRole('button', { name: 'Restart with the team library' }).click()
  await relaunched()
  await second.close()

  const member = await startApp({ library: folder, environment, port: await aFreePort() })
  await inGrid(member.page, 'Materials').first().waitFor()
  await mark(member.page).getByText('Up to date').waitFor()
  outage.isAway = true
  await mark(member.page).click()
  const line = member.page.getByRole('listitem', { name: 'Team library', exact: true })
  await line.getByRole('button', { name: 'Check now' }).click()
  await mark(member.page).getByText('Offline since').waitFor()
  await line.getByText('It tries again automatically').waitFor()
  await expectAccessible(member.page)
  outage.isAway = false
  // Gone if it has tried again by itself.
  await line.getByRole('button', { name: 'Check now' }).evaluateAll((buttons: HTMLElement[]) => buttons[0]?.click())
  await mark(member.page).getByText('Up to date').waitFor()

  await showSection(member.page, 'Library')
  await expect.poll(() => member.page.getByRole('checkbox', { name: 'Fetch all files first' }).isChecked()).toBe(true)
  await answerQuestions(member.app, 'first button')
  await member.page.getByRole('button', { name: 'Leave…' }).click()
  await member.page.getByText('only this computer receives saves').waitFor()
  await mark(member.page).waitFor({ state: 'detached' })
  await goTo(member.page, 'Materials')
  await inGrid(member.page, 'Materials').first().waitFor()
  await member.close()
  await first.close()
})
