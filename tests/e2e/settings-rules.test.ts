import { expect, test } from 'vitest'

import { aFreePort, expectListener, goTo, startApp } from './support/app.ts'
import { aHarbourSite, merged, secretsAside } from './support/harbour-site.ts'
import { aPage } from './support/service.ts'
import { choose, showSection } from './support/settings.ts'

test('rules: each kind is saved, and blocks a real save until it is removed', { timeout: 120_000 }, async () => {
  const port = await aFreePort()
  const { library, emulator, open, save } = await aHarbourSite(port)
  const { page, close } = await startApp({ library, port, environment: secretsAside })
  await expectListener(page, 'Listening')
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
  await showSection(page, 'Storage')
  await page.getByLabel('Versions to keep per material').fill('77')
  await goTo(page, 'Health')
  await showSection(page, 'Storage')
  expect(await page.getByLabel('Versions to keep per material').inputValue()).toBe('77')
  await showSection(page, 'Rules')
  expect(await page.getByLabel('E-mail pattern').inputValue()).toBe('half@')
  expect(await page.getByLabel('Material ID').inputValue()).toBe('stories/half')
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
  await close()
})
