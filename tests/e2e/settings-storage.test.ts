import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { isTaken } from '../support/free-port.ts'
import { aFolder, aFreePort, expectListener, goTo, goToChecks, inGrid, startApp } from './support/app.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { aHarbourSite, merged, secretsAside } from './support/harbour-site.ts'
import { choose, showSection } from './support/settings.ts'

test('limits, publishing, the listener, backups and old versions are set and obeyed', async () => {
  const port = await aFreePort()
  const { library, save } = await aHarbourSite(port)
  const environment = { ...secretsAside, AWS_ACCESS_KEY_ID: 'never-shown', AWS_SECRET_ACCESS_KEY: '' }
  // A choice in the window overrides the command line.
  const { app, page, close } = await startApp({ library, environment, port })
  await expectListener(page, 'Listening')

  // Limits and where media become public.
  await showSection(page, 'Sites')
  const limits = page.getByRole('dialog', { name: 'Limits and publishing for Harbour' })
  const openLimits = () => page.getByRole('button', { name: 'Limits: Harbour' }).click()
  await openLimits()
  await limits.getByLabel('Largest save (MB)').fill('0')
  await limits.getByRole('button', { name: 'Save changes' }).click()
  await limits.getByText('Enter a number greater than zero.').waitFor()
  await limits.getByLabel('Largest save (MB)').fill('0.0001')
  await limits.getByRole('button', { name: 'Save changes' }).click()
  await limits.waitFor({ state: 'detached' })
  expect(await save('Too large')).toMatchObject({ result: 'rejected' })
  // The keys of a bucket: stored by Galley, or from the environment; nothing of them is shown.
  await openLimits()
  await choose(page, 'Publish media with', 'S3 bucket')
  const keys = limits.getByRole('region', { name: 'Bucket keys' })
  await keys.getByText('Enter both keys').waitFor()
  await expect.poll(() => keys.getByRole('definition').allTextContents()).toEqual(['Set', 'Not set'])
  await expect
    .poll(() => keys.getByRole('term').allTextContents())
    .toEqual(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
  expect(await page.content()).not.toContain('never-shown')
  await limits.getByLabel('Bucket and prefix').fill('media/web')
  await limits.getByLabel('Endpoint').fill('https://s3.example')
  await limits.getByLabel('Access key ID').fill('KEYID')
  await limits.getByLabel('Secret access key').fill('key-secret')
  // This Galley reads its secrets from the environment, and reports it without asking.
  await answerQuestions(app, 'first button')
  await limits.getByRole('button', { name: 'Save changes' }).click()
  await limits.getByText('reads secrets from environment variables').waitFor()
  await page.keyboard.press('Escape')
  await limits.getByRole('button', { name: 'Discard', exact: true }).click()
  const publicFolder = await aFolder()
  await answerDialogs(app, publicFolder)
  await openLimits()
  await limits.getByLabel('Largest save (MB)').fill('20')
  await choose(page, 'Publish media with', 'Folder')
  await limits.getByRole('button', { name: 'Choose…' }).click()
  await expect.poll(() => limits.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe(publicFolder)
  await answerQuestions(app, 'return key')
  await limits.getByRole('button', { name: 'Save changes' }).click()
  await limits.getByText('This was not confirmed, so nothing was changed.').waitFor()
  const asked = await answerQuestions(app, 'first button')
  await limits.getByRole('button', { name: 'Save changes' }).click()
  await limits.waitFor({ state: 'detached' })
  expect((await asked()).map(({ detail }) => detail)).toEqual([
    expect.stringContaining(`Media published to:\nfrom listener\nto folder:${publicFolder}`),
  ])
  expect(await save('One')).toMatchObject(merged)
  expect((await readdir(publicFolder, { recursive: true })).join(' ')).toMatch(/\.png\b/)

  // Another port, once the listener is started again; the site follows.
  await showSection(page, 'Listener')
  const portField = page.getByLabel('Port', { exact: true })
  await portField.fill('70000')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a whole number from 1 to 65535').waitFor()
  const nextPort = await aFreePort()
  await portField.fill(String(nextPort))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Restart the listener to use the new address').waitFor()
  expect(await isTaken(port)).toBe(true)
  await page.getByRole('button', { name: 'Restart listener' }).click()
  await expectListener(page, `127.0.0.1:${nextPort}`)
  expect([await isTaken(port), await isTaken(nextPort)]).toEqual([false, true])
  await portField.fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Restart listener' }).click()
  await expectListener(page, `127.0.0.1:${port}`)
  expect(await save('Two')).toMatchObject(merged)
  expect(await save('Three')).toMatchObject(merged)

  // The preview lists what is deleted, and the deletion follows on request; a backup can be made before.
  await showSection(page, 'Library')
  await page.getByLabel('Versions to keep per material').fill('1')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText(/^2 versions can be deleted: /).waitFor()
  const deletable = page.getByRole('table', { name: 'Versions to delete' }).getByRole('row')
  await expect.poll(() => deletable.count()).toBe(3)
  // Versions have the same names as in the list of versions.
  await deletable.getByRole('cell', { name: '#1', exact: true }).waitFor()
  await deletable.getByRole('cell', { name: '#2', exact: true }).waitFor()
  const byHand = join(await aFolder(), 'by-hand.galley-backup')
  await answerDialogs(app, byHand)
  await page.getByText('There is no backup yet.').waitFor()
  await page.getByRole('button', { name: 'Back up first' }).click()
  await page.getByText('Last backup:').waitFor()
  expect(existsSync(byHand)).toBe(true)
  // Main asks in a system dialog with the rule; without confirmation nothing is deleted.
  await answerQuestions(app, 'return key')
  await page.getByRole('button', { name: 'Delete 2 versions…' }).click()
  await page.getByRole('button', { name: 'Delete 2 versions…' }).waitFor()
  const askedToPrune = await answerQuestions(app, 'first button')
  await page.getByRole('button', { name: 'Delete 2 versions…' }).click()
  await page.getByText(/^Deleted 2 versions and freed /).waitFor()
  expect((await askedToPrune())[0]?.detail).toContain('• the newest version of each material')
  await goTo(page, 'Materials')
  await inGrid(page, 'Materials').first().dblclick()
  await expect.poll(() => inGrid(page, 'Versions').count()).toBe(1)

  // Automatic backups are written to the chosen folder.
  const backups = await aFolder()
  await showSection(page, 'Library')
  await answerDialogs(app, backups)
  await page.getByRole('button', { name: 'Choose folder…' }).click()
  await page.getByText(backups).waitFor()
  await choose(page, 'Back up automatically', 'Every week')
  await page.getByText('keeps one automatic backup per day').waitFor()
  await goToChecks(page)
  await page.getByText(`Backs up automatically every 7 days to ${backups}.`).waitFor()

  // If they are off, Health links to their setting.
  await showSection(page, 'Library')
  await choose(page, 'Back up automatically', 'Never')
  await goToChecks(page)
  await page.getByText('Automatic backups are off.').waitFor()
  await page.getByRole('button', { name: 'Automatic backups' }).click()
  await page.getByRole('heading', { level: 3, name: 'Backups' }).waitFor()
  await close()
})
