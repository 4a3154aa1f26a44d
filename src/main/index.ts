import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { BrowserWindow } from 'electron'
import { app, ipcMain, Menu } from 'electron'

import type { Calls } from '../contract/ipc/calls.ts'
import { callInputs } from '../contract/ipc/calls.ts'
import { createTexts, languageFor, localeOf } from '../texts/catalogue.ts'
import { takeOverWhenFree } from './use-cases/care/take-over.ts'
import { faultPlace } from '../contract/domain/fault-place.ts'
import { pushChanges } from './edges/ipc/pushes.ts'
import { createPush, serve } from './platform/electron/serve.ts'
import { defaultLibraryFolder, rememberLibraryFolder } from './library/folder.ts'
import { openLogFile } from './platform/logging/log-file.ts'
import { textMenu } from './edges/shell/app-menu.ts'
import { startDesktopShell } from './edges/shell/desktop-shell.ts'
import { languageOf } from './edges/shell/language.ts'
import { createDesktop } from './edges/shell/desktop.ts'
import type { Ending } from './edges/shell/ending.ts'
import { createEnding } from './edges/shell/ending.ts'
import { openLibrary } from './open-app-library.ts'
import { watchPage } from './edges/shell/page-trouble.ts'
import { takePicture } from './edges/shell/picture.ts'
import { profileFolder } from './edges/shell/profile.ts'
import { quitQuestion } from './edges/shell/quit-question.ts'
import { tellStartTrouble } from './edges/shell/start-trouble.ts'
import { openWindowFile } from './edges/shell/window-file.ts'
import {
  applyTheme,
  compileEagerly,
  createShellWindow,
  isShellSender,
  prepareShell,
  refuseNames,
  registerSchemes,
  shellContents,
  shellPage,
} from './edges/shell/window.ts'
import { createSourcePlaces } from './platform/logging/source-places.ts'
import { forgive, say } from './platform/logging/standard-streams.ts'
import { keepBackups } from './use-cases/care/backup-task.ts'
import { widenThreadPool } from './platform/threads/libuv-pool.ts'

// Electron's life cycle: gives the real edges to the composition root, then shows the window.
widenThreadPool()

const { values: given } = parseArgs({
  args: process.argv.slice(1),
  options: { library: { type: 'string' }, port: { type: 'string' }, screenshot: { type: 'string' } },
  // Electron and Chromium have switches of their own on the same line.
  strict: false,
})
const textOption = (value: string | boolean | undefined): string | null => (typeof value === 'string' ? value : null)

const page = shellPage(process.env.ELECTRON_RENDERER_URL)

// As root, Chromium runs without its sandbox or not at all; every other user has it in all processes.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerSchemes()
refuseNames()
compileEagerly()
// Electron's own menu takes time to build, and ours comes after the first screen.
Menu.setApplicationMenu(null)

const givenPort = textOption(given.port)
const usualLibrary = defaultLibraryFolder(process.env)
const folder = textOption(given.library) ?? usualLibrary
app.setPath('userData', profileFolder(app.getPath('userData'), folder, usualLibrary))
const logFile = openLogFile(folder, 'app', createSourcePlaces(join(__dirname, '..')))
function log(line: string): void {
  say(process.stderr, `${line}\n`)
  logFile.write(line)
}
/** False: this library has its window already, which comes to the front instead. */
const isFirst = app.requestSingleInstanceLock()

const preload = join(__dirname, '..', 'preload', 'index.js')
const resources = join(__dirname, '..', '..', 'resources')
const icon = join(resources, 'icons', '256x256.png')

/** A page that cannot be drawn keeps what comes after it waiting no longer than this. */
const firstScreenLimitMs = 3_000

async function start(ending: Ending): Promise<void> {
  const file = openWindowFile(join(app.getPath('userData'), 'window.json'), log)
  // Null until the library is open; before that no page knows an address of anything in it.
  let library: Awaited<ReturnType<typeof openLibrary>> | null = null
  const prepared = prepareShell({
    folder: join(__dirname, '..', 'renderer'),
    page,
    stored: (url, method) => library?.stored(url, method) ?? null,
  })
  const { window, painted, show } = createShellWindow({
    ...{ preload, page, file, icon },
    devTools: process.env.GALLEY_DEVTOOLS === '1',
  })
  // Nothing could bring it back, and reviews are nothing without it.
  window.on('closed', () => app.quit())
  const firstScreen = Promise.race([painted, delay(firstScreenLimitMs)])
  const words = () => {
    const language = library === null ? languageFor(app.getLocale()) : languageOf(library.galley.settings.read())
    return createTexts(language).getFixedT(language, 'system')
  }
  const desktop = createDesktop(words)
  const watch = (shown: BrowserWindow): void => {
    watchPage(shown, { t: words, warn: desktop.warn, log, isEnding: ending.hasBegun })
    shown.webContents.on('context-menu', (_event, at) => {
      const items = textMenu(at, words())
      if (items.length > 0) Menu.buildFromTemplate([...items]).popup({ window: shown })
    })
  }
  watch(window)
  // While the page loads; its first calls wait for the library.
  const push = createPush(shellContents)
  const opening = openLibrary({
    ...{
      folder,
      preload,
      resources,
      window,
      desktop,
      push,
      firstScreen,
      watch,
      log: { ...logFile, write: log, trace: logFile.write },
    },
    agreeToEnd: ending.agree,
    port: givenPort === null ? null : Number(givenPort),
    isPackaged: app.isPackaged,
    built: __dirname,
  })
  ending.closeLast(async () => {
    // A library that does not open leaves nothing to close.
    const opened = await opening.catch(() => null)
    await Promise.all([opened?.galley.close(), file.settled()])
  })
  const handlers = opening.then((opened) => opened.handlers)
  // A library that does not open ends the app below; nobody may have called by then.
  handlers.catch(() => undefined)
  serve<Calls>({
    ipcMain,
    inputs: callInputs,
    isTrusted: isShellSender(page),
    log,
    handlers,
  })
  ;[library] = await Promise.all([opening, prepared])
  if (ending.hasBegun()) return
  const { galley, startListener, tryIt, stopReviews } = library
  ending.stopFirst(
    // A look at a closed library throws.
    () => void (library = null),
    pushChanges(galley, push),
    keepBackups(galley),
    takeOverWhenFree(galley.listener, startListener),
    stopReviews,
    () => void tryIt.close(),
  )
  ending.askFirst(() => {
    const language = languageOf(galley.settings.read())
    const t = createTexts(language).getFixedT(language, ['system', 'tasks'] as const)
    const told = quitQuestion(galley.tasks.list(), t, localeOf[language])
    return told && (() => desktop.ask(told))
  })
  applyTheme(galley.settings.read().theme)
  galley.listener.announce()
  // What the first screen does not need comes after it.
  await firstScreen
  if (ending.hasBegun()) return
  show()
  const { hasBegun: isEnding, wouldAsk } = ending
  ending.stopFirst(startDesktopShell({ ...galley, window, file, push, startListener, icon, isEnding, wouldAsk }))
  await startListener()
  const picture = textOption(given.screenshot)
  if (picture === null) return
  await takePicture(window, picture)
  ending.end()
}

/**
 * Keeps Electron from showing raw errors in boxes of its own. Whatever Galley promises lies behind a transaction, so a fault
 * outside of every call leaves nothing half done, and saves go on arriving.
 */
function logFaults(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => log(`a fault of Galley: ${faultPlace(error)}`))
  forgive(process.stdout)
  forgive(process.stderr)
}

/** Says why there is no window, and leads to another library or out. */
function tellWhyNot(error: unknown): Promise<void> | void {
  log(`Galley could not start: ${error instanceof Error ? error.message : String(error)}`)
  // Nobody sits before a start that is there to take a picture.
  if (textOption(given.screenshot) !== null) return app.exit(1)
  const language = languageFor(app.getLocale())
  return tellStartTrouble({
    folder,
    language,
    desktop: createDesktop(() => createTexts(language).getFixedT(language, 'system')),
    remember: (chosen) => rememberLibraryFolder(process.env, chosen),
    quit: () => app.exit(1),
  })
}

async function run(): Promise<void> {
  await app.whenReady()
  const ending = createEnding({ app, signals: process, log })
  await start(ending).catch((error: unknown) => (ending.hasBegun() ? undefined : tellWhyNot(error)))
}

if (!isFirst) app.exit()
else {
  logFaults()
  void run()
}
