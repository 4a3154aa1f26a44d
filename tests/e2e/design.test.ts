import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { showDesign } from './screens/design.ts'
import { aFolder, recordOpenedAddresses } from './support/app.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { exportAll } from './support/export-all.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'
import { choose } from './support/settings.ts'

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. It takes effect with the next publication.').waitFor()
}

test('a theme is corrected, chosen by its picture and set, and so is the site; its pages have all of it', async () => {
  const { app, page, close } = await startHarbourWeekly()
  // A mistake in a theme is named with its file and line, until it is corrected.
  const folder = join(await aFolder(), 'quay')
  await mkdir(folder)
  const template = join(folder, 'page.html')
  await writeFile(template, '<!doctype html>\n<main>{{ content }}</main>\n{{ pgae.title }}\n')
  await answerDialogs(app, folder)
  await showDesign(page, 'Theme')
  await page.getByRole('button', { name: 'Choose a folder…' }).click()
  const card = page.getByRole('listitem', { name: 'quay' })
  await card.getByText('This theme can’t be used because of an error in page.html, line 3:').waitFor()
  await expect.poll(() => card.getByRole('button').count(), { message: 'no way to use it' }).toBe(0)

  await writeFile(template, '<!doctype html>\n<main>{{ content }}</main>\n{{ page.title }}\n')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await card.getByText('mistake').waitFor({ state: 'detached' })
  await card.getByRole('button', { name: 'Use quay' }).click()
  // The site has the files as they were then.
  const stored = page.getByRole('listitem', { name: 'Own theme' })
  await stored.getByText('In use').waitFor()
  await stored.getByText('Stored with the site').waitFor()

  await writeFile(join(folder, 'theme.json'), '{\n  "name": "Quay!"\n}\n')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await card.getByText('theme.json, line 2:').waitFor()
  await stored.getByText('In use').waitFor()

  // A theme is chosen by its picture; its settings and those of the site are forms.
  await showDesign(page, 'Theme')
  await page.getByRole('img', { name: 'Home page in the theme Magazine' }).waitFor()
  await expect
    .poll(() =>
      page.evaluate(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)),
    )
    .toBe(true)
  await page.getByRole('button', { name: 'Use Magazine' }).click()
  await page.getByRole('listitem', { name: 'Magazine' }).getByText('In use').waitFor()
  const opened = await recordOpenedAddresses(app)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByText(/^The preview runs at http:/).waitFor()
  const [previewUrl = ''] = await opened()
  const previewed = async (): Promise<string> => (await fetch(previewUrl)).text()
  expect(await previewed()).toContain('#a3123f')
  await choose(page, 'Shape of cover pictures', 'Square')
  const colour = page.getByRole('textbox', { name: 'Colour on light pages', exact: true })
  await colour.fill('teal')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a colour such as #1f5fd0.').waitFor()
  await colour.fill('#00695c')
  await save(page)
  await expect.poll(previewed).toContain('#00695c')
  await page.getByRole('button', { name: 'Stop preview' }).click()
  await page.getByText(/^The preview runs at/).waitFor({ state: 'detached' })

  await showDesign(page, 'Site')
  await page.getByLabel('Language').fill('de-AT')
  await page.getByText('Austrian German, left to right').waitFor()
  await page.getByLabel('Footer').fill('Harbour Weekly, since 1924')
  await page.getByLabel('Posts per list page').fill('2')
  await save(page)

  // The menu by keyboard alone, from its first entry.
  await showDesign(page, 'Menu')
  const add = page.getByRole('button', { name: 'Add entry' })
  await add.focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Label').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('lighthouse')
  await page.getByRole('option', { name: /The lighthouse road/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Label').inputValue()).toBe('The lighthouse road, on foot')
  await add.click()
  await page.getByLabel('Label').nth(1).fill('Tags')
  await page.getByRole('combobox', { name: 'Links to' }).nth(1).click()
  await page.getByRole('option', { name: 'An address' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('/archive/')
  await page.getByRole('button', { name: 'Move Tags up' }).focus()
  await page.keyboard.press('Enter')
  await save(page)
  await showDesign(page, 'Code')
  await page.getByLabel('At the end of the body').fill('<!-- counted here -->')
  // A system dialog, which no page can answer: scripts in it would run for every reader.
  const asked = await answerQuestions(app, 'first button')
  await save(page)
  expect((await asked()).map(({ detail }) => detail)).toEqual([expect.stringContaining('<!-- counted here -->')])

  const target = join(await aFolder(), 'site')
  await answerDialogs(app, target)
  await exportAll(page)
  const home = await readFile(join(target, 'index.html'), 'utf8')
  for (const part of ['lang="de-AT"', '#00695c', 'Harbour Weekly, since 1924', '<!-- counted here -->'])
    expect(home).toContain(part)
  expect(home.indexOf('>Tags</a>')).toBeLessThan(home.indexOf('>The lighthouse road, on foot</a>'))
  expect(home).toContain('page/2/')
  await close()
})
