import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { acme } from '../library/db/sample.ts'
import { fillLibrary } from '../support/large-library.ts'
import { materialsIn } from '../support/records.ts'
import { aFolder, aFreePort, chooseInSwitcher, goTo, inGrid, startApp } from './support/app.ts'

const grid = (page: Page, name: string) => page.getByRole('grid', { name })
const scrolledPx = (page: Page, name: string): Promise<number> =>
  grid(page, name).evaluate(({ scrollTop }) => scrollTop)

/** Moves to the last row of a list, and waits until it is visible. */
async function goToEnd(page: Page, name: string): Promise<number> {
  await grid(page, name).press('End')
  await expect.poll(() => scrolledPx(page, name)).toBeGreaterThan(2_000)
  await grid(page, name).locator('[data-active]').waitFor()
  return scrolledPx(page, name)
}

const expectAtTop = async (page: Page, name: string): Promise<void> => {
  await expect.poll(() => scrolledPx(page, name)).toBe(0)
}

test('a new search or filter starts at the top of the list; a list that is read again stays where it was', async () => {
  const library = join(await aFolder(), 'library')
  await mkdir(library)
  await fillLibrary(library, acme, { materials: 300, versions: 300, callbacks: 300 })
  const started = await startApp({ library, port: await aFreePort(), environment: { GALLEY_SECRETS: 'env' } })
  const { page, close } = started
  await chooseInSwitcher(page, acme.name)

  const materials = grid(page, 'Materials')
  const endPx = await goToEnd(page, 'Materials')
  const renamed = { ...materialsIn(acme.id, 'post-0'), set: { title: 'The oldest of all', slug: 'oldest' } }
  await page.evaluate((renamed) => window.galley.call('setFields', renamed), renamed)
  await inGrid(page, 'Materials').filter({ hasText: renamed.set.title }).waitFor()
  expect(await scrolledPx(page, 'Materials')).toBe(endPx)

  // Every page contains it somewhere; the best matches have it in their title.
  await page.getByRole('textbox', { name: /^Search/ }).fill('harbour')
  await materials.locator('[aria-rowindex="2"] mark').first().waitFor()
  await expectAtTop(page, 'Materials')
  await goToEnd(page, 'Materials')
  await materials.getByRole('button', { name: 'Title' }).click()
  await expectAtTop(page, 'Materials')

  await goTo(page, 'Delivery')
  await goToEnd(page, 'Callbacks')
  await page.getByRole('textbox', { name: /^Search/ }).fill('post')
  await expectAtTop(page, 'Callbacks')
  await close()
})
