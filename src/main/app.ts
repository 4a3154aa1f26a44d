import { dirname, join } from 'node:path'
import {
  createKeychain,
  createRecovery,
  keepBackups,
  listenerPort,
  rememberLibraryFolder,
  takeOverWhenFree,
} from '@galley/library'
import type { Runtime } from '@galley/library/records'
import { isUnsupported } from '@galley/library/records'
import { faultReason } from '@galley/platform'
import type { LogFile } from '@galley/platform'
import { dailySchedule } from '@galley/sites'
import { readMembership } from '@galley/team'
import { app, BrowserWindow, Menu } from 'electron'

import { devDependencies, version } from '../../package.json'
import type { Calls, Handlers } from '../ipc/calls.ts'
import { calls } from '../ipc/calls.ts'
import type { Language } from '../texts/catalogue.ts'
import { createTexts, languageFor, localeOf } from '../texts/catalogue.ts'
import type { Desktop, DialogText } from './ipc/desktop.ts'
import { libraryHandlers } from './ipc/handlers/library-handlers.ts'
import { pushChanges, pushEverything } from './ipc/pushes.ts'
import { createThemePictures } from './ipc/theme-pictures.ts'
import { createReviews } from './review-window/reviews.ts'
import { createVersionFiles } from './review/version-files.ts'
import { textMenu } from './shell/app-menu.ts'
import { startDesktopShell } from './shell/desktop-shell.ts'
import { createDesktop } from './shell/desktop.ts'
import { createDragOut } from './shell/drag-out.ts'
import { firstScreenOf } from './shell/first-screen.ts'
import { givenLibrary } from './shell/given-library.ts'
import { languageOf } from './shell/language.ts'
import type { Links } from './shell/links.ts'
export { watchStatements } from '@galley/library'
import type { Push, Served } from './electron/serve.ts'
import { createPush } from './electron/serve.ts'
import { systemProxies } from './electron/system-proxies.ts'
import { createGalley } from './galley.ts'
import { faultLog } from './ipc/fault-log.ts'
import { bringToFront, watchPage } from './shell/page-failure.ts'
import { takePicture } from './shell/picture.ts'
import { createPreviewView } from './shell/preview-view.ts'
import { quitQuestion } from './shell/quit-question.ts'
import { withShown } from './shell/recent-sites.ts'
import type { ConfirmQuit, Shutdown } from './shell/shutdown.ts'
import type { SpellCheck } from './shell/spell-check.ts'
import { showStartFailure } from './shell/start-failure.ts'
import { createStoredFiles } from './shell/stored-files.ts'
import { appUpdates } from './shell/updates.ts'
import type { WindowFile } from './shell/window-file.ts'
import { applyTheme, isShellSender, shellContents } from './shell/window.ts'
import { createEmulators } from './try-it/emulators.ts'
import { createTryIt } from './try-it/try-it.ts'

/** The options of the app. */
export interface AppEdges {
  /** Of the library. */
  readonly folder: string
  /** Of an empty library for the window, while that folder has not finished joining a team. */
  readonly spareFolder: string
  /** Port of the listener, given on the command line; null: as the settings say. */
  readonly port: number | null
  /** The file for a picture of the first screen, after which the app quits. Null: it runs until the user quits. */
  readonly picture: string | null
  /** The folder of main's built scripts. Those of the pages are next to it. */
  readonly built: string
  readonly preload: string
  readonly resources: string
  readonly icon: string
  /** The address of the window's page. */
  readonly page: string
  readonly file: WindowFile
  readonly window: BrowserWindow
  readonly spellCheck: SpellCheck
  /** Resolves when the window's page shows something. */
  readonly painted: Promise<unknown>
  readonly show: () => void
  /** Resolves when the files of the page can be served. */
  readonly prepared: Promise<unknown>
  /** Serves the library's file at a URL. Null: it serves nothing from now on. */
  readonly serveStored: (stored: ((url: string, method: string) => Promise<Response> | null) | null) => void
  /** Answers the calls of the window, which wait until then. */
  readonly answerCalls: (served: Served<Calls>) => void
  readonly shutdown: Shutdown
  readonly links: Links
  /** Whether pages of Galley have developer tools. */
  readonly devTools: boolean
  readonly log: LogFile
}

type Library = Awaited<ReturnType<typeof openLibrary>>

/** The composition root of the desktop app: opens the library while the window loads, then starts what surrounds it. */
export async function startApp(edges: AppEdges): Promise<void> {
  const { window, file, picture, prepared, show, shutdown } = edges
  const log = edges.log.write
  let library: Library | null = null
  const words = () =>
    systemWordsIn(library === null ? languageFor(app.getLocale()) : languageOf(library.galley.settings.read()))
  const desktop = createDesktop(words)
  const watch = (shown: BrowserWindow): void => {
    watchPage(shown, { t: words, warn: desktop.warn, log, isQuitting: shutdown.hasBegun })
    offerTextMenu(shown, words, edges.spellCheck.learn)
  }
  watch(window)
  const { painted, drawn: firstScreen } = firstScreenOf(window, edges.painted)
  const push = createPush(shellContents)
  const windowSide = { desktop, push, watch, firstScreen, reopen: () => void reopen() }
  let opening = openLibrary(edges, windowSide)
  shutdown.closeLast(async () => {
    // A library that does not open leaves nothing to close.
    const opened = await opening.catch(() => null)
    await Promise.all([opened?.galley.close(), file.settled()])
    // No save is in progress any more.
    await opened?.updates.install()
  })
  // A library that does not open ends the app below, possibly before the first call.
  opening.catch(() => undefined)
  // Calls of the window wait while the library opens.
  edges.answerCalls({ calls, handlers: async () => (await opening).handlers })
  await Promise.all([opening, prepared])
  if (shutdown.hasBegun()) return
  const attached: (() => void)[] = []
  const detach = (): void => {
    // After this, using the closed library throws.
    library = null
    edges.serveStored(null)
    for (const stop of attached.splice(0)) stop()
  }
  shutdown.stopFirst(detach)
  const watchForRecovery = createRecovery()
  const attach = (opened: Library): void => {
    library = opened
    edges.serveStored(opened.stored)
    attached.push(
      ...besideLibrary(opened, push),
      watchForRecovery(opened.galley, () => void reopen()),
    )
  }
  const { hasBegun: isQuitting, wouldAsk } = shutdown
  const namedLibrary = givenLibrary(process.argv.slice(1), process.env)
  const showOnDesktop = ({ galley, startListener }: Library): void => {
    void edges.spellCheck.use([languageOf(galley.settings.read())])
    attached.push(startDesktopShell({ ...galley, ...edges, namedLibrary, push, startListener, isQuitting, wouldAsk }))
  }

  async function reopen(): Promise<void> {
    log('the library is being reopened')
    const reopening = opening
      .then(({ galley }) => closeLibrary(galley, detach))
      .then(() => openLibrary(edges, windowSide))
    opening = reopening
    try {
      const opened = await reopening
      if (isQuitting() || opening !== reopening) return
      attach(opened)
      showOnDesktop(opened)
      await opened.startListener()
      pushEverything(push)
    } catch (error) {
      log(`the library could not be reopened: ${faultReason(error)}`)
      if (!isQuitting()) await explainFailedStart(edges.folder)
    }
  }

  const firstOpening = opening
  const first = await firstOpening
  attach(first)
  shutdown.askFirst(() => library && askBeforeQuit(library, desktop))
  applyTheme(first.galley.settings.read().theme)
  first.galley.listener.announce()
  await painted
  if (!isQuitting()) show()
  // The first screen does not need the rest, which would delay the calls of its page.
  await firstScreen
  // `reopen` starts the rest for the library that it opened meanwhile.
  if (isQuitting() || opening !== firstOpening) return
  showOnDesktop(first)
  await first.startListener()
  if (picture !== null) await takePicture(window, picture).then(shutdown.quit)
}

async function closeLibrary({ tasks, close }: Library['galley'], detach: () => void): Promise<void> {
  // While the library is attached: the window follows its tasks to their end.
  await tasks.close()
  detach()
  await close()
}

/** The question to ask before the app quits while tasks run; null if there is none. */
function askBeforeQuit({ galley: { settings, tasks } }: Library, desktop: Desktop): ConfirmQuit | null {
  const language = languageOf(settings.read())
  const t = createTexts(language).getFixedT(language, ['system', 'tasks'] as const)
  const dialog = quitQuestion(tasks.list(), t, localeOf[language])
  return dialog && (() => desktop.ask(dialog))
}

/** Follows the team, closely while a window is open. */
function followTeam(team: NonNullable<Library['galley']['team']>): () => void {
  // A bucket that can no longer hold the library is refused from then on, and the log says why.
  void team.checkBucket().catch(() => team.sync())
  void team.sync()
  return team.keepFollowing(() => BrowserWindow.getAllWindows().some((each) => each.isVisible()))
}

/** The background work of an open library; each returned function stops a part of it. */
const besideLibrary = (
  { galley, startListener, tryIt, emulators, stopReviews, previewView, daily, updates, versionFiles }: Library,
  push: Push,
): readonly (() => void)[] => [
  pushChanges(galley, push),
  keepBackups(galley),
  galley.webhooks.start(),
  ...(galley.team ? [followTeam(galley.team)] : []),
  daily.start(),
  updates.start(),
  takeOverWhenFree(galley.listener, startListener),
  stopReviews,
  previewView.stop,
  versionFiles.stop,
  () => void tryIt.close(),
  () => void emulators.close(),
]

/** Cut, copy, paste and spell check on right click. */
function offerTextMenu(
  window: BrowserWindow,
  words: () => Parameters<typeof textMenu>[1],
  learn: SpellCheck['learn'],
): void {
  const { webContents } = window
  const spelling = { learn, replace: (suggestion: string) => webContents.replaceMisspelling(suggestion) }
  webContents.on('context-menu', (_event, at) => {
    const items = textMenu(at, words(), spelling)
    if (items.length > 0) Menu.buildFromTemplate([...items]).popup({ window })
  })
}

interface WindowSide {
  readonly desktop: Desktop
  readonly push: Push
  /** Looks after the page of a window. */
  readonly watch: (window: BrowserWindow) => void
  /** Thumbnails come later, because they render other pages. */
  readonly firstScreen: Promise<unknown>
  readonly reopen: () => void
}

/** What there is to read beside the app; the licences of what is in it only a package has. */
const papersOf = (resources: string) => ({
  documentation: join(resources, '..', 'docs'),
  notices: join(dirname(process.execPath), 'NOTICES.txt'),
})

/** Opens the library with everything that its window uses; rejects if it cannot be opened. */
async function openLibrary(edges: AppEdges, { desktop, push, watch, firstScreen, reopen }: WindowSide) {
  const { built, preload, resources, window, shutdown } = edges
  const { write: log, hide } = edges.log
  const unfinished = unfinishedJoinIn(edges.folder)
  const galley = await createGalley({
    folder: unfinished === null ? edges.folder : edges.spareFolder,
    secrets: process.env.GALLEY_SECRETS === 'env' ? { environment: process.env } : createKeychain(),
    environment: process.env,
    proxyOf: systemProxies(process.env),
    workerScript: join(built, 'worker.js'),
    backgroundScript: join(built, 'background.js'),
    version,
    isAboutToListen: unfinished === null,
    log,
    hide,
  })
  const startListener = listenerStart(galley, edges.port, unfinished === null)
  const { tryIt, emulators } = servicesHere(edges, galley, startListener, push)
  const inWindow: Push = (name, event) => {
    bringToFront(window)
    push(name, event)
  }
  const systemWords = () => systemWordsIn(languageOf(galley.settings.read()))
  const versionFiles = createVersionFiles({ ...galley, named: namedBy(systemWords) })
  const reviews = createReviews({
    ...galley,
    ...desktop,
    window,
    versionFiles,
    themesFolder: join(resources, 'themes'),
    whenIdle: () => firstScreen.then(galley.listener.whenIdle),
    frame: { page: edges.page, preload, isTrusted: isShellSender, watch, devTools: edges.devTools },
    answers: () => handlers,
    showHealth: () => inWindow('command', { id: 'go.delivery' }),
    openInEditor: (site, materialId) => inWindow('edit', { site, materialId }),
    exportVersion: (version) => inWindow('exportVersion', version),
    log,
    logFault: faultLog('a review window', edges.log.write),
  })
  const previewView = createPreviewView({ window, previews: galley.previews, push })
  const updates = appUpdates(galley, push, log)
  const pictures = createThemePictures()
  const handlers: Handlers = {
    ...libraryHandlers(galley, {
      // A cancelled quit does not cancel relaunch(), so ask first.
      desktop: { ...desktop, relaunch: () => void shutdown.confirm().then((isMeant) => isMeant && desktop.relaunch()) },
      runtime: runtimeOf(process.versions),
      log: edges.log,
      startListener,
      confirmErase: (email) => desktop.ask(eraseQuestion(systemWords(), email)),
      tryIt,
      emulators,
      pictures,
      words: systemWords,
      ...papersOf(resources),
      themesFolder: join(resources, 'themes'),
      reopen,
      rememberLibrary: (chosen) => rememberLibraryFolder(process.env, chosen),
      changed: (subjects) => push('changed', { subjects }),
      unfinished,
    }),
    ...(unfinished && { libraryFolder: () => unfinished.folder }),
    openReview: reviews.open,
    ...reviews.deskHandlers,
    ...previewView.handlers,
    ...updates.handlers,
    ...createDragOut(window, versionFiles, edges.icon),
    siteShown: noteSite(edges.file),
  }
  const stored = firstOf([createStoredFiles({ ...galley, log }), pictures.answer, reviews.pictureAt])
  const daily = dailySchedule(galley, join(resources, 'themes'), log)
  const stop = { stopReviews: reviews.stop, previewView, daily, updates, versionFiles }
  return { galley, startListener, tryIt, emulators, handlers, stored, ...stop }
}

/** The services on this computer: that of the sample, and those that developers start for their sites. */
function servicesHere(
  { built, resources, log: { write: log } }: AppEdges,
  galley: Awaited<ReturnType<typeof createGalley>>,
  startListener: ReturnType<typeof listenerStart>,
  push: Push,
) {
  const editorFolder = join(built, '..', 'editor')
  const tryIt = createTryIt({
    ...galley,
    startListener,
    editorFolder,
    demoFolder: join(resources, 'demo'),
    onState(state) {
      push('tryIt', state)
      // The secret changes without a change of the row.
      push('changed', { subjects: ['sites'] })
    },
    log,
  })
  return { tryIt, emulators: createEmulators({ ...galley, tryIt, editorFolder, log }) }
}

type AnswerTo = (url: string, method: string) => Promise<Response> | null
const firstOf =
  (all: readonly AnswerTo[]): AnswerTo =>
  (url, method) =>
    all.reduce<ReturnType<AnswerTo>>((answer, next) => answer ?? next(url, method), null)

const noteSite =
  (file: WindowFile): Handlers['siteShown'] =>
  ({ site }) => {
    file.change({ recentSites: withShown(file.state().recentSites, site) })
    return null
  }

const namedBy = (words: () => SystemWords) => (title: string, number: number) =>
  words()('files.version', { title, number })

const systemWordsIn = (language: Language) => createTexts(language).getFixedT(language, 'system')
type SystemWords = ReturnType<typeof systemWordsIn>

const eraseQuestion = (t: SystemWords, email: string): DialogText => ({
  message: t('erasing.title', { email }),
  detail: t('erasing.text'),
  buttons: [t('erasing.confirm'), t('erasing.cancel')],
})

/** The join of this folder that was cut off; null for every other folder. Throws MembershipError. */
function unfinishedJoinIn(folder: string) {
  const membership = readMembership(folder)
  return membership?.state === 'joining' ? { ...membership, folder } : null
}

/** Starts the listener as the settings say. A port changed in Settings since the start overrides that of the command line. */
function listenerStart(
  { settings, listener, index }: Pick<Awaited<ReturnType<typeof createGalley>>, 'settings' | 'listener' | 'index'>,
  givenPort: number | null,
  mayListen: boolean,
) {
  if (!mayListen) return () => Promise.resolve(listener.state())
  const portAtStart = settings.read().listener.port
  return () => {
    const { host, port } = settings.read().listener
    const ownPort = port === portAtStart ? (givenPort ?? port) : port
    return listener.start(host, ownPort ?? listenerPort(index.sites.list()))
  }
}

const runtimeOf = ({ electron, chrome, node }: NodeJS.ProcessVersions): Runtime => ({
  electron,
  chromium: chrome,
  node,
  isDevelopment: !app.isPackaged,
  isUnsupported: isUnsupported(electron, devDependencies.electron),
})

/** Explains why there is no window, and offers another library or the exit. */
export function explainFailedStart(folder: string): Promise<void> {
  const language = languageFor(app.getLocale())
  return showStartFailure({
    folder,
    language,
    desktop: createDesktop(() => systemWordsIn(language)),
    remember: (chosen) => rememberLibraryFolder(process.env, chosen),
    quit: () => app.exit(1),
  })
}
