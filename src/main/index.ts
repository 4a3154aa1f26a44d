import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { defaultLibraryFolder } from '@galley/library'
import {
  createSourcePositions,
  ignoreWriteErrors,
  openLogFile,
  outsideAsar,
  print,
  widenThreadPool,
} from '@galley/platform'
import { describeFault } from '@galley/wire'
import { app, ipcMain, Menu } from 'electron'

import type { Calls } from '../ipc/calls.ts'
import type { Served } from './electron/serve.ts'
import { serve } from './electron/serve.ts'
import { createLinks } from './shell/links.ts'
import { profileFolder } from './shell/profile.ts'
import type { Shutdown } from './shell/shutdown.ts'
import { createShutdown } from './shell/shutdown.ts'
import { createSpellCheck } from './shell/spell-check.ts'
import { openWindowFile } from './shell/window-file.ts'
import {
  compileEagerly,
  createShellWindow,
  isShellSender,
  prepareShell,
  refuseNames,
  registerSchemes,
  shellPage,
} from './shell/window.ts'

// Electron's life cycle: opens the window, then loads the rest (app.ts) while the page starts. Imports here delay the
// window, so there are few.
widenThreadPool()

const { values: given } = parseArgs({
  args: process.argv.slice(1),
  options: { library: { type: 'string' }, port: { type: 'string' }, screenshot: { type: 'string' } },
  // Electron and Chromium read their own switches from the same command line.
  strict: false,
})
const textOption = (value: string | boolean | undefined): string | null => (typeof value === 'string' ? value : null)

const page = shellPage(process.env.ELECTRON_RENDERER_URL)

// As root, Chromium cannot use its sandbox. For all other users, all processes are sandboxed.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerSchemes()
refuseNames()
compileEagerly()
// Electron's default menu takes time to build. Galley's own follows after the first screen.
Menu.setApplicationMenu(null)

const givenPort = textOption(given.port)
const picture = textOption(given.screenshot)
const usualLibrary = defaultLibraryFolder(process.env)
const folder = textOption(given.library) ?? usualLibrary
app.setPath('userData', profileFolder(app.getPath('userData'), folder, usualLibrary))
const logFile = openLogFile(folder, 'app', createSourcePositions(join(__dirname, '..')))
function log(line: string): string {
  const written = logFile.write(line)
  print(process.stderr, `${written}\n`)
  return written
}
/** False if this library already has a window, which is focused instead. */
const isFirst = app.requestSingleInstanceLock()

const links = createLinks(app, process.argv)
// On Linux and macOS the package says so.
if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient('galley')

const preload = join(__dirname, '..', 'preload', 'index.js')
const resources = outsideAsar(join(__dirname, '..', '..', 'resources'))
const icon = join(resources, 'icons', '256x256.png')

/** Parts of app.ts. They are loaded one by one, because Chromium also needs this thread to load the window's page. */
const parts = [() => import('../ipc/calls.ts'), () => import('./galley.ts')] as const
const betweenPartsMs = 4

async function loadApp() {
  for (const load of parts) {
    await delay(betweenPartsMs)
    await load()
  }
  await delay(betweenPartsMs)
  return import('./app.ts')
}

async function start(shutdown: Shutdown): Promise<void> {
  const file = openWindowFile(join(app.getPath('userData'), 'window.json'), log)
  // Null until the library is open. No page knows URLs of the library before that.
  let stored: ((url: string, method: string) => Promise<Response> | null) | null = null
  const prepared = prepareShell({
    folder: join(__dirname, '..', 'renderer'),
    page,
    stored: (url, method) => stored?.(url, method) ?? null,
  })
  const { GALLEY_DICTIONARIES: dictionaries } = process.env
  const devTools = process.env.GALLEY_DEVTOOLS === '1'
  const spellCheck = createSpellCheck(dictionaries === undefined ? undefined : [dictionaries])
  const { window, painted, show } = createShellWindow({
    preload,
    page,
    file,
    icon,
    devTools,
  })
  // The window cannot be reopened, and review windows depend on it.
  window.on('closed', () => app.quit())
  const { promise: served, resolve: answerCalls } = Promise.withResolvers<Served<Calls>>()
  serve<Calls>({ ipcMain, served, isTrusted: isShellSender(page), log })
  const { startApp, watchStatements } = await loadApp()
  watchStatements(logFile.write)
  await startApp({
    folder,
    spareFolder: join(app.getPath('userData'), 'unfinished-join'),
    picture,
    built: __dirname,
    preload,
    resources,
    icon,
    page,
    file,
    window,
    spellCheck,
    painted,
    show,
    prepared,
    answerCalls,
    shutdown,
    links,
    devTools,
    port: givenPort === null ? null : Number(givenPort),
    serveStored: (next) => void (stored = next),
    log: { ...logFile, write: log },
  })
}

/**
 * Prevents Electron's own error dialogs. Galley's data is protected by transactions, so an uncaught error corrupts nothing,
 * and saves continue.
 */
function logFaults(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => log(`an error in Galley: ${describeFault(error)}`))
  ignoreWriteErrors(process.stdout)
  ignoreWriteErrors(process.stderr)
}

async function run(): Promise<void> {
  await app.whenReady()
  const shutdown = createShutdown({ app, signals: process, log })
  try {
    await start(shutdown)
  } catch (error) {
    if (shutdown.hasBegun()) return
    log(`Galley could not start: ${describeFault(error)}`)
    // A start for a screenshot has no user to inform.
    if (picture !== null) return app.exit(1)
    const { explainFailedStart } = await import('./app.ts')
    await explainFailedStart(folder)
  }
}

if (!isFirst) app.exit()
else {
  logFaults()
  void run()
}
