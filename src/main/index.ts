import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserWindow } from 'electron'
import { app, ipcMain } from 'electron'

import { version } from '../../package.json'
import type { Galley } from './galley.ts'
import { createGalley } from './galley.ts'
import { listenerHandlers } from './ipc/handlers/listener.ts'
import { materialHandlers } from './ipc/handlers/materials.ts'
import { siteHandlers } from './ipc/handlers/sites.ts'
import { createPush, serve } from './ipc/serve.ts'
import { defaultLibraryFolder } from './library-folder.ts'
import { listenerPort } from './listener-address.ts'
import { createKeychain } from './secrets/keychain.ts'
import {
  createShellWindow,
  isShellSender,
  openInBrowser,
  prepareShell,
  registerShellScheme,
  shellContents,
  shellPage,
} from './window.ts'

// Electron's life cycle: gives the real edges to the composition root, then shows the window.

const { values: given } = parseArgs({
  args: process.argv.slice(1),
  options: { library: { type: 'string' }, port: { type: 'string' }, screenshot: { type: 'string' } },
  // Electron and Chromium have switches of their own on the same line.
  strict: false,
})
const textOption = (value: string | boolean | undefined): string | null => (typeof value === 'string' ? value : null)

const page = shellPage(process.env.ELECTRON_RENDERER_URL)
const log = (line: string) => void process.stderr.write(`${line}\n`)

// As root, Chromium runs without its sandbox or not at all; every other user has it in all processes.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerShellScheme()

/** How long the library may be watched for changes before the window is told: a burst of saves is one re-read. */
const gatherChangesMs = 50

async function start(): Promise<void> {
  const galley = await createGalley({
    folder: textOption(given.library) ?? defaultLibraryFolder(process.env),
    secrets: process.env.GALLEY_SECRETS === 'env' ? { environment: process.env } : createKeychain(),
    environment: process.env,
    workerScript: join(__dirname, 'worker.js'),
    version,
    log,
  })
  const push = createPush(shellContents)
  const wantedPort = textOption(given.port)
  const startListener = () =>
    galley.startListener(
      '127.0.0.1',
      wantedPort === null ? listenerPort(galley.index.sites.list()) : Number(wantedPort),
    )

  serve({
    ipcMain,
    isTrusted: isShellSender(page),
    log,
    handlers: {
      ...siteHandlers(galley, () => push('changed', { subjects: ['sites'] })),
      ...materialHandlers(galley, openInBrowser),
      ...listenerHandlers(galley, startListener),
    },
  })
  galley.onListenerState((state) => push('listenerState', state))
  const stopWatching = galley.watch(
    gathered(() => push('changed', { subjects: ['sites', 'materials', 'snapshots', 'callbacks'] })),
  )
  stopWith(galley, stopWatching)

  await prepareShell({ folder: join(__dirname, '..', 'renderer'), page })
  const window = createShellWindow({ preload: join(__dirname, '..', 'preload', 'index.js'), page })
  await startListener()
  const picture = textOption(given.screenshot)
  if (picture !== null) await takePicture(window, picture)
}

/** One call for many in a short while. */
function gathered(tell: () => void): () => void {
  let timer: NodeJS.Timeout | null = null
  return () => {
    timer ??= setTimeout(() => {
      timer = null
      tell()
    }, gatherChangesMs)
  }
}

/** Ends only after saves under way have ended and the library is closed. */
function stopWith(galley: Galley, stopWatching: () => void): void {
  app.on('will-quit', (event) => {
    event.preventDefault()
    // A look at a closed library throws, and Electron then holds the process with a dialog about it.
    stopWatching()
    // Not quit: that would come by here again.
    void galley.close().finally(() => app.exit())
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
}

/** A picture of the window when it has settled, for machines where nobody can look at it; then the app ends. */
async function takePicture(window: BrowserWindow, file: string): Promise<void> {
  if (!window.isVisible()) await new Promise<void>((resolve) => window.once('show', () => resolve()))
  await window.webContents.executeJavaScript(
    'document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 700)))',
  )
  const image = await window.webContents.capturePage()
  await writeFile(file, image.toPNG())
  app.quit()
}

// The lock is by library, not by app: two libraries may be open at once, and a second window on the same one reads.
app.on('window-all-closed', () => app.quit())
app
  .whenReady()
  .then(start)
  .catch((error: unknown) => {
    log(`Galley could not start: ${error instanceof Error ? error.message : String(error)}`)
    app.exit(1)
  })
