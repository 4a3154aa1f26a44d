import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { onTestFinished } from 'vitest'

import { aFolder } from './app.ts'
import { launchElectron } from './electron.ts'
import { unhurried } from './unhurried.ts'

/** A bare window, like a browser's. The page keeps its own unsaved-changes guard. */
const main = `const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1360, height: 900, useContentSize: true, webPreferences: { sandbox: true } })
  window.webContents.on('will-prevent-unload', (event) => event.preventDefault())
  window.loadURL('about:blank')
})
`

/** An Electron app that is such a window. Its folder is also its home. */
export async function aWindowApp() {
  const folder = await aFolder()
  const app = join(folder, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{"name":"window","version":"1.0.0","main":"index.cjs"}')
  await writeFile(join(app, 'index.cjs'), main)
  return { folder, app }
}

/** A page in Electron's Chromium, without the app. */
export async function aBrowserPage(): Promise<Page> {
  const { folder, app } = await aWindowApp()
  const electron = await launchElectron(['--lang=en-GB', app], { XDG_CONFIG_HOME: folder })
  const child = electron.process()
  onTestFinished(async () => {
    child.kill('SIGKILL')
  })
  const page = await electron.firstWindow()
  page.setDefaultTimeout(10_000)
  return unhurried(page)
}
