import { join } from 'node:path'
import type { BrowserWindow } from 'electron'

import { devDependencies, version } from '../../package.json'
import type { Handlers } from '../contract/ipc/calls.ts'
import type { Runtime } from '../contract/domain/runtime.ts'
import { hasEnded } from '../contract/domain/runtime.ts'
import { createTexts } from '../texts/catalogue.ts'
import type { GalleyEdges } from './galley.ts'
import { createGalley } from './galley.ts'
import { libraryHandlers } from './edges/ipc/handlers/library-handlers.ts'
import type { Desktop } from './edges/ipc/desktop.ts'
import type { Push } from './platform/electron/serve.ts'
import type { LogFile } from './platform/logging/log-file.ts'
import { rememberLibraryFolder } from './library/folder.ts'
import { createReviews } from './edges/review-window/reviews.ts'
import { createKeychain } from './library/secrets/keychain.ts'
import { listenerPort } from './use-cases/sites/listener-port.ts'
import { createTryIt } from './edges/try-it/try-it.ts'
import { languageOf } from './edges/shell/language.ts'
import { bringToFront } from './edges/shell/page-trouble.ts'
import { createStoredFiles } from './edges/shell/stored-files.ts'
import { isShellSender, reviewFrame } from './edges/shell/window.ts'

interface Edges {
  /** Of the library. */
  readonly folder: string
  /** Given on the command line; null: as the settings say. */
  readonly port: number | null
  /** Whether Electron runs an app from its package. */
  readonly isPackaged: boolean
  /** Where the built scripts of main lie, with those of the pages beside them. */
  readonly built: string
  readonly preload: string
  readonly resources: string
  readonly window: BrowserWindow
  readonly desktop: Desktop
  readonly push: Push
  /** Resolves when the window shows something; thumbnails, which draw pages of their own, come after it. */
  readonly firstScreen: Promise<unknown>
  /** Looks after the page of a window. */
  readonly watch: (window: BrowserWindow) => void
  /** False: the app is not to end now. */
  readonly agreeToEnd: () => Promise<boolean>
  readonly log: LogFile & Pick<GalleyEdges, 'trace'>
}

/** The library with all that its window can ask of it; rejects when it cannot be opened. */
export async function openLibrary(edges: Edges) {
  const {
    folder,
    port: givenPort,
    isPackaged,
    built,
    preload,
    resources,
    window,
    desktop,
    push,
    firstScreen,
    watch,
    agreeToEnd,
    log: logFile,
  } = edges
  const log = logFile.write
  const galley = await createGalley({
    folder,
    secrets: process.env.GALLEY_SECRETS === 'env' ? { environment: process.env } : createKeychain(),
    environment: process.env,
    workerScript: join(built, 'worker.js'),
    backgroundScript: join(built, 'background.js'),
    version,
    isAboutToListen: true,
    log,
    hide: logFile.hide,
    trace: logFile.trace,
  })
  const portAtStart = galley.settings.read().listener.port
  const startListener = () => {
    const { host, port } = galley.settings.read().listener
    // A port that was chosen since counts before that of the command line.
    const ownPort = port === portAtStart ? (givenPort ?? port) : port
    return galley.listener.start(host, ownPort ?? listenerPort(galley.index.sites.list()))
  }
  const tryIt = createTryIt({
    ...galley,
    startListener,
    editorFolder: join(built, '..', 'renderer'),
    demoFolder: join(resources, 'demo'),
    onState(state) {
      push('tryIt', state)
      // Its secret comes and goes without a row.
      push('changed', { subjects: ['sites'] })
    },
    log,
  })
  const frame = reviewFrame(process.env.ELECTRON_RENDERER_URL)
  const reviews = createReviews({
    ...galley,
    settings: galley.settings.read,
    whenIdle: () => firstScreen.then(galley.listener.whenIdle),
    frame: { page: frame, preload, isTrusted: isShellSender(frame), watch },
    showHealth: () => {
      bringToFront(window)
      push('command', { id: 'go.health' })
    },
    openInEditor(site, materialId) {
      bringToFront(window)
      push('edit', { site, materialId })
    },
    copyText: desktop.copyText,
    changed: () => push('changed', { subjects: ['materials'] }),
    log,
  })
  const storedFiles = createStoredFiles(galley)
  const handlers: Handlers = {
    ...libraryHandlers(galley, {
      desktop: {
        ...desktop,
        // Electron would make a start good that was asked for by a quit which was taken back.
        relaunch: () => void agreeToEnd().then((isMeant) => isMeant && desktop.relaunch()),
      },
      runtime: runtimeOf(process.versions, isPackaged),
      log: logFile,
      startListener,
      confirmErase(email) {
        const language = languageOf(galley.settings.read())
        const t = createTexts(language).getFixedT(language, 'system')
        const ways = [t('erasing.confirm'), t('erasing.cancel')] as const
        return desktop.ask({ message: t('erasing.title', { email }), detail: t('erasing.text'), ways })
      },
      tryIt,
      words() {
        const language = languageOf(galley.settings.read())
        return createTexts(language).getFixedT(language, 'system')
      },
      documentation: join(resources, '..', 'docs'),
      themesFolder: join(resources, 'themes'),
      rememberLibrary: (chosen) => rememberLibraryFolder(process.env, chosen),
      changed: (subjects) => push('changed', { subjects }),
    }),
    openReview: reviews.open,
  }
  /** What lies at an address of the library; null for any other address. */
  const stored = (url: string, method: string) => storedFiles(url, method) ?? reviews.thumbnailAt(url, method)
  return { galley, startListener, tryIt, stopReviews: reviews.stop, handlers, stored }
}

const runtimeOf = ({ electron, chrome, node }: NodeJS.ProcessVersions, isPackaged: boolean): Runtime => ({
  electron,
  chromium: chrome,
  node,
  isDevelopment: !isPackaged,
  hasEnded: hasEnded(electron, devDependencies.electron),
})
