import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { galley } from '../cli/support/cli.ts'
import { aFolder, aFreePort, expectListener, inGrid, recordOpenedAddresses, startApp } from './support/app.ts'
import { aPage, startEmulator } from './support/service.ts'

const secret = 'keyboard secret'

/** Tabs on until what has the focus has this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const names: string[] = []
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const element = document.activeElement
      const labelled = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
      return (labelled ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
    })
    names.push(found)
    if (typeof name === 'string' ? found === name : name.test(found)) return
  }
  expect(names, 'what Tab reached').toContain(name)
}

test('the main path by keyboard alone', { timeout: 90_000 }, async () => {
  const emulator = await startEmulator({ secret })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_PRESS: secret }
  const callbackUrl = `http://127.0.0.1:${port}/callback/press`
  await galley(
    [
      ...['site', 'add', 'press', '--library', library, '--name', 'Press', '--base-url', emulator.baseUrl],
      ...['--api-key', emulator.apiKey, '--callback-url', callbackUrl],
    ],
    environment,
  )
  const { app, page, close } = await startApp({ library, port, environment })
  const openedAddresses = await recordOpenedAddresses(app)
  await expectListener(page, 'Listening')
  const current = () => page.getByRole('navigation', { name: 'Views' }).locator('[aria-current="page"]').textContent()

  await page.keyboard.press('Control+2')
  await expect.poll(current).toContain('Callbacks')
  await page.keyboard.press('Control+3')
  await expect.poll(current).toContain('Fonts')
  await page.keyboard.press('Control+1')
  await expect.poll(current).toContain('Materials')

  // Escape closes the dialog and gives the focus back; Enter opens it again.
  await tabTo(page, 'New material')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New material')

  for (const [id, title] of [
    ['one', 'Alpha'],
    ['two', 'Beta'],
  ] as const) {
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(id)
    await page.keyboard.press('Tab')
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const opened = await openedAddresses()
    const fingerprint = /[0-9a-f-]{36}/.exec(opened.at(-1) ?? '')?.[0] ?? ''
    for (const heading of [`${title} one`, `${title} two`]) {
      expect(await emulator.save(fingerprint, aPage(heading))).toMatchObject({ result: 'merged' })
    }
    // Rows that are about to move are nothing to walk through.
    await inGrid(page, 'Materials').filter({ hasText: title }).filter({ hasText: 'Saved2' }).waitFor()
    await page.keyboard.press('Control+f')
    await tabTo(page, 'New material')
  }

  // Into the list, down, on to the material, its versions, their parts.
  const materials = inGrid(page, 'Materials')
  await tabTo(page, /^Beta|^Alpha/)
  await page.keyboard.press('End')
  await expect.poll(() => materials.nth(1).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => materials.nth(0).getAttribute('aria-selected')).toBe('true')
  expect(await materials.nth(0).textContent()).toContain('Beta')
  await page.keyboard.press('Enter')
  await expect.poll(() => inGrid(page, 'Versions').count()).toBe(2)
  await tabTo(page, 'Open in editor')
  const versions = inGrid(page, 'Versions')
  await tabTo(page, /Current/)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => versions.nth(1).getAttribute('aria-selected')).toBe('true')
  await tabTo(page, 'Summary')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('HTML source').getByText('Beta one').waitFor()

  await page.keyboard.press('Control+2')
  await tabTo(page, /Stored/)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'What happened and what to do' }).waitFor()
  await close()
})
