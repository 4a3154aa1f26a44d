import { join } from 'node:path'
import type { Locator } from 'playwright'
import { expect } from 'vitest'

import { materialsIn } from '../../support/records.ts'
import { aFolder, inGrid } from './app.ts'
import { answerDialogs } from './dialogs.ts'
import { tabTo } from './keyboard.ts'
import { aPage } from './service.ts'
import type { SiteWindow } from './site-window.ts'
import { startSiteWindow } from './site-window.ts'

/** Four materials; the word quay is only in a page, and the nets were saved twice. */
export async function startFourMaterials() {
  const press = await startSiteWindow()
  const { page, save } = press
  const by = (name: string) => ({ user_email: `${name}@press.example` })
  const quay = aPage('The old quay')
  const saves = [
    save('harbour/quay', {
      ...quay,
      ...by('anna.von.brandt'),
      html: `${quay.html}<p>Where the lighthouse keepers met.</p>`,
    }),
    save('harbour/market', { ...aPage('Market at nine'), ...by('jonas') }),
    save('harbour/nets', { ...aPage('Net makers'), ...by('mei') }),
    save('city/trams', { ...aPage('Slow trams'), ...by('jonas') }),
  ]
  for (const { result } of await Promise.all(saves)) expect(result).toBe('merged')
  await save('harbour/nets', { ...aPage('Net makers of Pier 4'), ...by('mei') })
  const rows = inGrid(page, 'Materials')
  await rows.filter({ hasText: 'harbour/nets' }).filter({ hasText: 'now' }).waitFor()
  await expect.poll(() => rows.count()).toBe(4)
  for (const [id, title] of [
    ['harbour/quay', 'The old quay'],
    ['harbour/market', 'Market at nine'],
    ['harbour/nets', 'Net makers of Pier 4'],
    ['city/trams', 'Slow trams'],
  ] as const) {
    const slug = title.toLowerCase().replaceAll(' ', '-')
    const input = { ...materialsIn('press', id), set: { title, slug } }
    await page.evaluate((input) => window.galley.call('setFields', input), input)
  }
  await rows.filter({ hasText: 'Slow trams' }).waitFor()
  return { ...press, rows, row: (text: string) => rows.filter({ hasText: text }) }
}

/** The titles of the rows that are listed, from top to bottom. */
export const titles = (rows: Locator): Promise<readonly string[]> =>
  rows.evaluateAll((all) =>
    all.map((row) => row.querySelector('[role="gridcell"]')?.textContent.replace(/(harbour|city)\/.*$/, '') ?? ''),
  )

/** Fills the dialog of an export with a chosen destination by keyboard, shows its plan, and closes it. */
export async function expectPlan({ app, page }: SiteWindow, pages: number): Promise<void> {
  await answerDialogs(app, join(await aFolder(), 'site'))
  const dialog = page.getByRole('dialog', { name: 'New export' })
  await expect
    .poll(() => dialog.getByRole('list', { name: 'Selected materials' }).getByRole('listitem').count())
    .toBe(pages)
  for (const name of ['Choose…', 'Show plan']) {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
    if (name === 'Choose…') await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toMatch(/site$/)
  }
  const plan = page.getByRole('dialog', { name: 'Export plan' })
  await plan.getByText(new RegExp(`^${pages} pages, `)).waitFor()
  await page.keyboard.press('Escape')
  await plan.waitFor({ state: 'detached' })
}
