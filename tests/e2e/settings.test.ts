import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { choose, showSection } from './support/settings.ts'

test('appearance, start at login and shortcuts take effect at once', async () => {
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
  const rowHeight = () => page.getByRole('button', { name: 'Library' }).evaluate((element) => element.clientHeight)
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
  await page.getByRole('button', { name: 'Change: Go to Delivery' }).click()
  await page.keyboard.press('Control+2')
  await page.getByText('Ctrl+2 is already used for “Go to Materials”.').waitFor()
  expect(await screen()).toContain('Settings')
  await page.getByRole('button', { name: 'Change: Go to Delivery' }).click()
  await page.keyboard.press('Control+Shift+Y')
  await page.getByRole('button', { name: 'Reset: Go to Delivery' }).waitFor()
  await page.keyboard.press('Control+5')
  expect(await screen()).toContain('Settings')
  await page.keyboard.press('Control+Shift+Y')
  await expect.poll(screen).toContain('Delivery')
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByRole('button', { name: 'Turn off: Go to Delivery' }).click()
  await page.getByRole('button', { name: 'Turn off: Go to Delivery' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+Y')
  expect(await screen()).toContain('Settings')
  await page.getByRole('button', { name: 'Reset all' }).click()
  await page.keyboard.press('Control+5')
  await expect.poll(screen).toContain('Delivery')
  await close()
})
