import { join } from 'node:path'
import { expect, test } from 'vitest'

import { traces } from '../support/traces.ts'
import { aFolder, aFreePort, expectListener, goToChecks, goToTab, inGrid, startApp } from './support/app.ts'
import { atEnd, shared } from './support/at-end.ts'
import { expectAccessible } from './support/axe.ts'
import { answerQuestions } from './support/dialogs.ts'
import { aHarbourSite, merged, secretsAside } from './support/harbour-site.ts'
import { tabTo } from './support/keyboard.ts'
import { aPage } from './support/service.ts'
import { choose, showSection } from './support/settings.ts'
import { addFolderTarget } from './support/targets.ts'

async function startHarbour() {
  const port = await aFreePort()
  const site = await aHarbourSite(port)
  const started = await startApp({ library: site.library, port, environment: secretsAside })
  await expectListener(started.page, 'Listening')
  return { ...started, ...site }
}

const harbour = shared(async () => {
  const started = await startHarbour()
  atEnd(started.close)
  return started
})

test('rules: each kind is saved, and blocks a real save until it is removed', async () => {
  const { page, emulator, open, save } = await harbour()
  expect(await save('Before')).toMatchObject(merged)
  await showSection(page, 'Rules')
  const saveChanges = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
  }

  // Pauses by hand, for this site and for all sites.
  for (const scope of ['Harbour', 'All sites']) {
    const form = page.getByRole('form', { name: scope, exact: true })
    await form.getByLabel('Reason').fill('The harbour is closed')
    await form.getByRole('button', { name: 'Pause saves' }).click()
    await form.getByText(/^All saves have been paused since .*: The harbour is closed$/).waitFor()
    const refused = await save(`Refused ${scope}`)
    expect(refused).toMatchObject({ result: 'rejected' })
    expect(refused.message).toContain('The harbour is closed')
    await form.getByRole('button', { name: 'Resume saves' }).click()
    await form.getByText('Saves are not paused.').waitFor()
    expect(await save(`Taken ${scope}`)).toMatchObject(merged)
  }

  // One material, and no other.
  await page.getByLabel('Material ID').fill('stories/quay')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Resume stories/quay' }).waitFor()
  expect(await save('A refused material')).toMatchObject({ result: 'rejected' })
  const pier = await open('stories/pier')
  expect(await emulator.save(pier.fingerprint, aPage('Another material'))).toMatchObject(merged)
  await page.getByRole('button', { name: 'Resume stories/quay' }).click()
  await page.getByText('No materials are paused.').waitFor()
  expect(await save('A material again')).toMatchObject(merged)

  // Input stays while other sections and screens are open.
  await page.getByRole('button', { name: 'Add pattern' }).click()
  await page.getByLabel('E-mail pattern').fill('half@')
  await page.getByLabel('Material ID').fill('stories/half')
  await showSection(page, 'Library')
  await page.getByLabel('Versions to keep per material').fill('77')
  await goToChecks(page)
  await showSection(page, 'Library')
  await expect.poll(() => page.getByLabel('Versions to keep per material').inputValue()).toBe('77')
  await showSection(page, 'Rules')
  await expect.poll(() => page.getByLabel('E-mail pattern').inputValue()).toBe('half@')
  await expect.poll(() => page.getByLabel('Material ID').inputValue()).toBe('stories/half')
  await page.getByText('Unsaved changes').waitFor()
  await page.getByLabel('E-mail pattern').fill('')

  // Blocks people by a pattern.
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter an e-mail address without spaces').waitFor()
  await page.getByLabel('E-mail pattern').fill('*@HARBOUR.example')
  await saveChanges()
  expect(await save('A refused person')).toMatchObject({ result: 'rejected' })
  await page.getByRole('button', { name: 'Remove *@HARBOUR.example' }).click()
  await saveChanges()
  expect(await save('A person again')).toMatchObject(merged)

  // An expired token is blocked; a valid one, and none, are accepted.
  await choose(page, 'Saves with an expired token', 'Block')
  await page.getByLabel('Metadata key').fill('permittedUntil')
  await saveChanges()
  const late = await open('stories/late', { permittedUntil: '2020-01-01T00:00:00Z' })
  const early = await open('stories/early', { permittedUntil: '2999-01-01T00:00:00Z' })
  expect(await emulator.save(late.fingerprint, aPage('Late'))).toMatchObject({ result: 'rejected' })
  expect(await emulator.save(early.fingerprint, aPage('Early'))).toMatchObject(merged)
  expect(await save('Without a token')).toMatchObject(merged)
  await choose(page, 'Saves with an expired token', 'Accept')
  await saveChanges()
  expect(await emulator.save(late.fingerprint, aPage('Late'))).toMatchObject(merged)

  // Materials that were never opened from here; those that are stored are known.
  await choose(page, 'Saves for unknown materials', 'Block')
  await saveChanges()
  const stranger = await open('stories/stranger')
  expect(await emulator.save(stranger.fingerprint, aPage('A stranger'))).toMatchObject({ result: 'rejected' })
  expect(await save('A known one')).toMatchObject(merged)
  await choose(page, 'Saves for unknown materials', 'Accept')
  await saveChanges()
})

test('by keyboard alone: saves are paused and resumed, old versions deleted', async () => {
  const { app, page, save } = await harbour()
  const press = (key: string) => page.keyboard.press(key)
  const toSection = async (name: string): Promise<void> => {
    await tabTo(page, name)
    await press('Enter')
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  }
  for (const heading of ['One', 'Once more']) expect(await save(heading)).toMatchObject(merged)
  await showSection(page, 'Sites')
  await press('Control+6')
  await toSection('Rules')
  await tabTo(page, 'Pause saves')
  await press('Enter')
  await page.getByText('All saves have been paused since').waitFor()
  expect(await save('Two')).toMatchObject({ result: 'rejected' })
  await press('Control+5')
  await tabTo(page, 'Resume saves')
  await press('Enter')
  await page.getByText('Paused', { exact: true }).waitFor({ state: 'detached' })
  expect(await save('Three')).toMatchObject(merged)

  // The preview of what is deleted, and the deletion.
  await press('Control+6')
  await toSection('Library')
  await tabTo(page, 'Versions to keep per material')
  await press('Control+a')
  await page.keyboard.type('1')
  await tabTo(page, 'Preview')
  await press('Enter')
  await page.getByText(/^\d+ versions? can be deleted: /).waitFor()
  await answerQuestions(app, 'first button')
  await tabTo(page, /^Delete \d+ versions?…$/)
  await press('Enter')
  await page.getByText(/^Deleted \d+ versions? and freed /).waitFor()
})

test('a person is found, and erased after a confirmation in a dialog of the system', async () => {
  const { app, page, library, emulator, open, save, close } = await startHarbour()
  // Media that were only looked up are counted, and so are texts of releases that name a person who is to be erased.
  const { fingerprint } = await open('stories/contact')
  const contact = 'nets@harbour.example'
  const names = Array.from({ length: 45 }, (_, at) => `p${at}.png`)
  const saved = await emulator.save(fingerprint, {
    html: `<h1>Contact</h1><p>Write to ${contact}.</p>${names.map((name) => `<img src="dummy-${name}" alt="">`).join('')}`,
    state: { assets: {} },
    files: Object.fromEntries(names.map((name) => [name, Buffer.from(`picture ${name}`).toString('base64')])),
    user_email: contact,
  })
  expect(saved).toMatchObject(merged)
  await addFolderTarget(app, page, 'staging', join(await aFolder(), 'site'))
  await goToTab(page, 'Targets')
  await inGrid(page, 'Targets').first().click()
  await page.getByRole('region', { name: 'staging' }).getByRole('button', { name: 'Publish…' }).click()
  await page
    .getByRole('dialog', { name: 'Publish to staging' })
    .getByRole('button', { name: 'Publish', exact: true })
    .click()
  const done = page.getByRole('dialog', { name: 'Published to staging' })
  await done.getByText(/^\d+ more media files are in place; their content was not read\.$/).waitFor()
  await expectAccessible(page)
  await done.getByRole('button', { name: 'Close' }).click()

  await showSection(page, 'Library')
  await page.getByLabel('E-mail address').fill(contact)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page
    .getByText(
      /^\d files of published releases contain the address, because it was on their pages\. The files are kept\./,
    )
    .waitFor()
  await expectAccessible(page)

  const email = aPage('').user_email
  expect(await save('One')).toMatchObject(merged)
  const field = page.getByLabel('E-mail address')
  const find = page.getByRole('button', { name: 'Find', exact: true })
  await field.fill('nobody')
  await find.click()
  await page.getByText('Enter an e-mail address, such as').waitFor()
  await field.fill('nobody@else.example')
  await find.click()
  await page.getByText('No entries contain this address.').waitFor()
  await field.fill(email)
  await find.click()
  await page.getByText(/^\d+ entries contain this address\. \d+ stored archives?/).waitFor()
  expect(await traces(library, email)).not.toEqual([])

  const asked = await answerQuestions(app, 'return key')
  await page.getByRole('button', { name: 'Erase…' }).click()
  await expect
    .poll(async () => (await asked()).map(({ message }) => message))
    .toEqual([`Erase ${email} from the library?`])
  await page.getByText(/entries contain this address/).waitFor()
  expect(await traces(library, email)).not.toEqual([])

  // Back from another section, the field still contains the person to erase.
  await showSection(page, 'Appearance')
  await showSection(page, 'Library')
  await expect.poll(() => field.inputValue()).toBe(email)
  await answerQuestions(app, 'first button')
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByText(/^The address was erased from \d+ entries/).waitFor()
  await close()
  expect(await traces(library, email)).toEqual([])
})
