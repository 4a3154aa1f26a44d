import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { cause } from '../../packages/wire/cause.ts'
import { expectListener, goTo, showAllChecks } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { disturbCalls } from './support/calls.ts'
import { heldRelaunch } from './support/held-relaunch.ts'
import { startCallbacks } from './support/two-sites.ts'

interface WatchedTray {
  tip: string
  menu: Electron.Menu | null
}

/**
 * Records the menu and tooltip of the tray from now on, because Electron cannot return them. The tray itself still gets
 * them.
 */
const watchTray = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Tray }) => {
    const watched: WatchedTray = { tip: '', menu: null }
    const { setContextMenu, setToolTip } = Tray.prototype
    Tray.prototype.setContextMenu = function (menu) {
      watched.menu = menu
      setContextMenu.call(this, menu)
    }
    Tray.prototype.setToolTip = function (tip) {
      watched.tip = tip
      setToolTip.call(this, tip)
    }
    Object.assign(globalThis, { watchedTray: watched })
  })

/** The items of the menu; disabled ones are in brackets. */
const linesOf = (app: ElectronApplication): Promise<readonly string[]> =>
  app.evaluate(() => {
    const { menu } = (globalThis as unknown as { watchedTray: WatchedTray }).watchedTray
    return (menu?.items ?? []).map(({ type, label, enabled }) => {
      if (type === 'separator') return '-'
      return enabled ? label : `[${label}]`
    })
  })

const clickLine = (app: ElectronApplication, label: string): Promise<void> =>
  app.evaluate((_electron, label) => {
    const { menu } = (globalThis as unknown as { watchedTray: WatchedTray }).watchedTray
    const item = menu?.items.find((other) => other.label === label)
    if (item === undefined) throw new Error(`No line ${label}`)
    item.click()
  }, label)

test('the tray tells what the listener does and when the last save came, refuses saves, shows the window, and quits', async () => {
  const { app, page, nativeWindow, callbacks, save } = await startCallbacks()
  await watchTray(app)
  await save('The old quay at dusk')
  await expect.poll(() => linesOf(app)).toHaveLength(10)
  const running = await linesOf(app)
  expect(running).toEqual([
    expect.stringMatching(/^\[Listening at 127\.0\.0\.1:\d+\]$/),
    expect.stringMatching(/^\[Last save: \d+ \w+ \d{4}, \d\d:\d\d\]$/),
    '-',
    'Show Galley',
    // The sites that were shown last.
    'Harbour',
    'City',
    '-',
    'Pause saves',
    '-',
    'Quit Galley',
  ])
  const tip = () => app.evaluate(() => (globalThis as unknown as { watchedTray: WatchedTray }).watchedTray.tip)
  await expect.poll(() => tip()).toMatch(/^Galley\nListening at 127\.0\.0\.1:\d+\nLast save: /)

  // A site is shown, and is the first from then on.
  await clickLine(app, 'City')
  await expect.poll(async () => (await linesOf(app)).slice(4, 6)).toEqual(['City', 'Harbour'])
  await clickLine(app, 'Harbour')
  await expect.poll(async () => (await linesOf(app)).slice(4, 6)).toEqual(['Harbour', 'City'])
  await goTo(page, 'Delivery')

  // While paused, the service gets answers and no save is stored; tray and window show it.
  await clickLine(app, 'Pause saves')
  await expectListener(page, 'Listening, saves paused')
  const banner = page.getByText(/^Saves for all sites have been paused since .* Please save again later$/)
  await banner.waitFor()
  const refused = /Listening at 127\.0\.0\.1:\d+, saves paused/
  await expect.poll(async () => (await linesOf(app))[0]).toMatch(refused)
  await expect.poll(() => linesOf(app)).toContain('Resume saves')
  await expect.poll(() => tip()).toMatch(refused)
  await expect(save('Blocked by rule')).rejects.toThrow('result')
  await expect.poll(() => callbacks.count()).toBe(3)
  await clickLine(app, 'Resume saves')
  await banner.waitFor({ state: 'detached' })
  await expect.poll(async () => (await linesOf(app)).includes('Pause saves')).toBe(true)
  await save('Accepted again')

  // The tray follows changes in the window.
  await clickLine(app, 'Pause saves')
  await page.getByRole('button', { name: 'Resume saves' }).first().click()
  await banner.waitFor({ state: 'detached' })
  await expect.poll(async () => (await linesOf(app)).includes('Pause saves')).toBe(true)
  await save('And again')

  // A stopped listener is started from the tray.
  await page.keyboard.press('Control+5')
  await showAllChecks(page)
  await page.getByRole('button', { name: 'Stop listener' }).click()
  await expectListener(page, 'Stopped')
  await expect.poll(async () => (await linesOf(app))[0]).toBe('[Listener stopped, no saves are received]')
  await clickLine(app, 'Start listener')
  await expectListener(page, 'Listening')

  // A hidden window is shown again, also in another language.
  const isVisible = () => nativeWindow.evaluate((shown) => shown.isVisible())
  await nativeWindow.evaluate((shown) => shown.close())
  await expect.poll(isVisible).toBe(false)
  await clickLine(app, 'Show Galley')
  await expect.poll(isVisible).toBe(true)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Language: Russian')
  await page.getByRole('option', { name: 'Language: Russian' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await linesOf(app)).at(-1)).toBe('Выйти из Galley')

  const exited = once(app.process(), 'exit')
  await clickLine(app, 'Выйти из Galley')
  expect(await exited).toEqual([0, null])
})

test('a disk that cannot store saves is reported in tray, title bar and Delivery until it can', async () => {
  const { app, page, library, save, close } = await startCallbacks()
  await watchTray(app)
  await goTo(page, 'Materials')
  const staging = join(library, 'staging')
  await rm(staging, { recursive: true })
  await writeFile(staging, '')
  await expect(save('Not stored')).rejects.toThrow('result')
  await expectListener(page, 'Can’t store saves')
  await expect.poll(async () => (await linesOf(app))[0]).toBe('[Listening, but saves can’t be stored]')
  const told = page.getByText(/^No save can be stored now; earlier saves are kept\. The cause: a file is in the way\./)
  await page.getByRole('alert').filter({ has: told }).getByRole('button', { name: 'Open Delivery' }).click()
  await showAllChecks(page)
  const line = page.getByRole('listitem', { name: 'Listener', exact: true })
  await line.getByText('Can’t store saves').waitFor()
  await expect.poll(() => told.count(), { message: 'said once' }).toBe(1)
  await expectAccessible(page)

  // Galley notices it without a save.
  await rm(staging)
  await mkdir(staging)
  await line.getByText('Listening', { exact: true }).waitFor()
  await expectListener(page, 'Listening')
  await expect.poll(async () => (await linesOf(app))[0]).toMatch(/^\[Listening at/)
  await save('Stored again')

  // What only a restart ends offers one.
  const fault = { cause: cause('sync_failed', { why: cause('disk_error') }), until: 'restart' } as const
  await disturbCalls(app, {
    readHealth: { over: { listener: { kind: 'listening', url: 'http://127.0.0.1:1', fault } } },
  })
  await page.keyboard.press('Control+r')
  const relaunched = await heldRelaunch(app)
  await line.getByRole('button', { name: 'Restart Galley' }).click()
  await relaunched()
  await close()
})
