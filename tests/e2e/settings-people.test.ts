import { expect, test } from 'vitest'

import { traces } from '../support/traces.ts'
import { aFreePort, expectListener, startApp } from './support/app.ts'
import { answerQuestions } from './support/dialogs.ts'
import { aHarbourSite, merged, secretsAside } from './support/harbour-site.ts'
import { aPage } from './support/service.ts'
import { showSection } from './support/settings.ts'

test('a person is found, and erased after a confirmation in a dialog of the system', { timeout: 90_000 }, async () => {
  const port = await aFreePort()
  const { library, save } = await aHarbourSite(port)
  const email = aPage('').user_email
  const { app, page, close } = await startApp({ library, environment: secretsAside, port })
  await expectListener(page, 'Listening')
  expect(await save('One')).toMatchObject(merged)
  await showSection(page, 'Storage')
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
  await page.getByText(/^\d entries contain this address\. 1 stored archive/).waitFor()
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
  await showSection(page, 'Storage')
  expect(await field.inputValue()).toBe(email)
  await answerQuestions(app, 'first button')
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByText(/^The address was erased from \d entries/).waitFor()
  await close()
  expect(await traces(library, email)).toEqual([])
})
