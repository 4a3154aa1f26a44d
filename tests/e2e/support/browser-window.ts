import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { afterAll } from 'vitest'

import { patientMs } from './app.ts'
import { atEnd } from './at-end.ts'
import { launchElectron } from './electron.ts'
import { unhurried } from './unhurried.ts'

/** Bare windows, like a browser's. The page keeps its own unsaved-changes guard. */
const main = `const { app, BrowserWindow } = require('electron')
globalThis.openWindow = () => {
  const window = new BrowserWindow({ width: 1360, height: 900, useContentSize: true, webPreferences: { sandbox: true } })
  window.webContents.on('will-prevent-unload', (event) => event.preventDefault())
  return window.loadURL('about:blank')
}
app.on('window-all-closed', () => undefined)
app.whenReady().then(openWindow)
`

/** An Electron app that opens such a window. Its folder is also its home. */
export async function aWindowApp() {
  const folder = await mkdtemp(join(tmpdir(), 'galley-window-'))
  const app = join(folder, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{"name":"window","version":"1.0.0","main":"index.cjs"}')
  await writeFile(join(app, 'index.cjs'), main)
  return { folder, app, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

let browser: Promise<{ readonly electron: ElectronApplication; end(): Promise<void> }> | null = null
afterAll(async () => (await browser)?.end())

/** One for all tests of the file. */
async function startBrowser() {
  const { folder, app, remove } = await aWindowApp()
  const electron = await launchElectron(['--lang=en-GB', app], { XDG_CONFIG_HOME: folder })
  await electron.firstWindow()
  return {
    electron,
    async end() {
      electron.process().kill('SIGKILL')
      await remove()
    },
  }
}

/** A page in Electron's Chromium, without the app: a window of its own until the end of the test. */
export async function aBrowserPage(): Promise<Page> {
  const { electron } = await (browser ??= startBrowser())
  const opened = electron.waitForEvent('window')
  await electron.evaluate(() => (Reflect.get(globalThis, 'openWindow') as () => Promise<void>)())
  const page = await opened
  atEnd(() => page.close())
  page.setDefaultTimeout(patientMs)
  return unhurried(page)
}
