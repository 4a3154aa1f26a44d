import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { answerQuestions } from './support/dialogs.ts'
import { merged, secret } from './support/harbour-site.ts'
import { chooseInMenu, tabTo } from './support/keyboard.ts'
import { aPage, startEmulator } from './support/service.ts'
import { choose, showSection } from './support/settings.ts'

test('appearance, start at login and shortcuts take effect at once', { timeout: 90_000 }, async () => {
  const profile = await aFolder()
  const { page, close } = await startApp({
    library: join(await aFolder(), 'library'),
    profile,
    port: await aFreePort(),
  })
  await expectListener(page, 'Listening')
  await showSection(page, 'Appearance')
  const isDark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await choose(page, 'Theme', 'Dark')
  await expect.poll(isDark).toBe(true)
  await choose(page, 'Theme', 'Light')
  await expect.poll(isDark).toBe(false)
  const rowHeight = () => page.getByRole('button', { name: 'Storage' }).evaluate((element) => element.clientHeight)
  await choose(page, 'Density', 'Compact')
  await expect.poll(rowHeight).toBe(28)
  await choose(page, 'Density', 'Roomy')
  await expect.poll(rowHeight).toBe(40)
  await choose(page, 'Density', 'Default')
  await choose(page, 'Language', 'Русский')
  await page.getByRole('heading', { level: 1, name: 'Настройки' }).waitFor()
  await choose(page, 'Язык', 'English')

  await showSection(page, 'Startup and notifications')
  const entry = join(profile, 'autostart', 'galley.desktop')
  const atLogin = page.getByRole('switch', { name: 'Start at login' })
  await atLogin.click()
  // It takes effect before it is written.
  await expect
    .poll(() => readFile(entry, 'utf8').catch(() => ''))
    .toMatch(/^Exec="[^"]+" "[^"]+" "--library" "[^"]+"$/m)
  await atLogin.click()
  await expect.poll(() => existsSync(entry)).toBe(false)

  await showSection(page, 'Shortcuts')
  const screen = () => page.locator('[data-pane="sidebar"] [aria-current="page"]').textContent()
  await page.getByRole('button', { name: 'Change: Go to Health' }).click()
  await page.keyboard.press('Control+1')
  await page.getByText('Ctrl+1 is already used for “Go to Materials”.').waitFor()
  expect(await screen()).toContain('Settings')
  await page.getByRole('button', { name: 'Change: Go to Health' }).click()
  await page.keyboard.press('Control+Shift+Y')
  await page.getByRole('button', { name: 'Reset: Go to Health' }).waitFor()
  await page.keyboard.press('Control+5')
  expect(await screen()).toContain('Settings')
  await page.keyboard.press('Control+Shift+Y')
  await expect.poll(screen).toContain('Health')
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByRole('button', { name: 'Turn off: Go to Health' }).click()
  await page.getByRole('button', { name: 'Turn off: Go to Health' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+Y')
  expect(await screen()).toContain('Settings')
  await page.getByRole('button', { name: 'Reset all' }).click()
  await page.keyboard.press('Control+5')
  await expect.poll(screen).toContain('Health')
  await close()
})

test('by keyboard alone: a site, a rule that refuses, old versions and a key', { timeout: 120_000 }, async () => {
  const port = await aFreePort()
  const emulator = await startEmulator({ secret })
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  const { app, page, close } = await startApp({ library: join(await aFolder(), 'library'), port })
  await expectListener(page, 'Listening')
  const press = (key: string) => page.keyboard.press(key)
  const toSection = async (name: string): Promise<void> => {
    await tabTo(page, name)
    await press('Enter')
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  }

  await press('Control+6')
  await tabTo(page, 'Add site')
  await press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const type = async (label: string, text: string): Promise<void> => {
    await tabTo(page, label)
    await page.keyboard.type(text)
  }
  await page.keyboard.type('Harbour')
  await type('Site ID', 'harbour')
  await type('Service URL', emulator.baseUrl)
  await type('API key', emulator.apiKey)
  await type('Secret', secret)
  await type('Callback URL', callbackUrl)
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await tabTo(page, 'Test: Harbour')
  await press('Enter')
  await page.getByText('The callback URL reaches this computer.').waitFor()

  // Pauses and resumes saves by hand.
  const { fingerprint } = await emulator.openPastGalley('stories/quay', callbackUrl)
  const save = (heading: string) => emulator.save(fingerprint, aPage(heading))
  await toSection('Rules')
  // The setting for saves of unknown materials.
  await tabTo(page, 'Block')
  await press('Enter')
  await chooseInMenu(page, 'Accept')
  await tabTo(page, 'Save changes')
  await press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await save('One')).toMatchObject(merged)
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
  await toSection('Storage')
  await type('Versions to keep per material', '1')
  await tabTo(page, 'Preview')
  await press('Enter')
  await page.getByText(/^1 version can be deleted: /).waitFor()
  await answerQuestions(app, 'first button')
  await tabTo(page, 'Delete 1 version…')
  await press('Enter')
  await page.getByText(/^Deleted 1 version and freed /).waitFor()
  await close()
})
