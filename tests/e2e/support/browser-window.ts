import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { _electron } from 'playwright'
import { onTestFinished } from 'vitest'

import { aFolder } from './app.ts'
import { unhurried } from './unhurried.ts'

/** A window and nothing else: what a browser is to a page. The unsaved-changes guard is left to the page. */
const main = `const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1360, height: 900, useContentSize: true, webPreferences: { sandbox: true } })
  window.webContents.on('will-prevent-unload', (event) => event.preventDefault())
  window.loadURL('about:blank')
})
`

/** A page in the Chromium that the tests have anyway: Electron's, without anything of the app. */
export async function aBrowserPage(): Promise<Page> {
  const executablePath = process.env['GALLEY_TEST_ELECTRON']
  if (executablePath === undefined) throw new Error('GALLEY_TEST_ELECTRON is not set: run this by npm test')
  const folder = await aFolder()
  const app = join(folder, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{"name":"window","version":"1.0.0","main":"index.cjs"}')
  await writeFile(join(app, 'index.cjs'), main)
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^GALLEY_|^VITEST|^NODE_/.test(entry[0]),
  )
  const electron = await _electron.launch({
    executablePath,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--log-level=3', '--lang=en-GB', app],
    env: { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: folder },
    colorScheme: null,
    timeout: 30_000,
  })
  const child = electron.process()
  onTestFinished(async () => {
    child.kill('SIGKILL')
  })
  const page = await electron.firstWindow()
  page.setDefaultTimeout(10_000)
  return unhurried(page)
}
