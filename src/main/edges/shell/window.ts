import { app, BrowserWindow, nativeTheme, protocol, screen, session, shell } from 'electron'
import type { IpcMainInvokeEvent, WebContents } from 'electron'

import { isOpenableEditorUrl } from '../../use-cases/sessions/editor-url.ts'
import { reviewScheme } from '../../../contract/ipc/review-scheme.ts'
import { createShellFiles } from './shell-files.ts'
import { strictPage } from '../../platform/electron/strict-page.ts'
import { bringToFront } from './page-trouble.ts'
import { openingBounds, smallest } from './window-bounds.ts'
import type { WindowFile } from './window-file.ts'

const scheme = 'app'

/** Where the pages of windows lie in the built app; electron-vite keeps their folders below its root. */
const builtPages = `${scheme}://galley/`

const pageAt = (devServerUrl: string | undefined, path: string): string =>
  new URL(path, devServerUrl ?? builtPages).href

/** The address the window shows: electron-vite's server while developing, the built files otherwise. */
export const shellPage = (devServerUrl: string | undefined): string => pageAt(devServerUrl, '/renderer/index.html')

/** The address of the frame around pages under review. */
export const reviewFrame = (devServerUrl: string | undefined): string =>
  pageAt(devServerUrl, '/renderer/review/index.html')

const isBuilt = (page: string): boolean => page.startsWith(builtPages)

/** Gives `app://` and the scheme of stored pages origins of their own; Electron takes this only before the app is ready. */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, codeCache: true } },
    // Stored pages; Electron takes schemes only before it is ready.
    { scheme: reviewScheme, privileges: { standard: true, secure: true, corsEnabled: true, stream: true } },
  ])
}

/**
 * Lets no page of the app look a name up, before it is ready: a `dns-prefetch` in a stored page passes every other guard.
 * What Galley itself asks of the network goes through Node.
 */
export function refuseNames(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE localhost')
}

/**
 * Compiles the functions of a page's scripts when they are read, before the app is ready: the code cache then has them all at
 * the next start. Of scripts that are modules it would keep only what ran while they were evaluated, and nothing of the first drawing.
 */
export function compileEagerly(): void {
  app.commandLine.appendSwitch('js-flags', '--no-lazy')
}

/** Whether a request of the window may go out at all: its own files, and the dev server while there is one. */
function isOwnRequest(url: string, page: string): boolean {
  if (url.startsWith(builtPages) || url.startsWith('devtools://')) return true
  if (isBuilt(page)) return false
  return url.replace(/^ws/, 'http').startsWith(`${new URL(page).origin}/`)
}

/** Closes every way out of a page: other addresses, new windows, webviews. */
function refuseToLeave(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/**
 * Once, when the app is ready: serves the built files in `folder` and what `stored` has from the library, and refuses all
 * else the page could ask for. All of it holds at once; the promise fails when there are no built files.
 */
export async function prepareShell({
  folder,
  page,
  stored,
}: {
  readonly folder: string
  readonly page: string
  /** Null for an address that is none of the library's. */
  readonly stored: (url: string, method: string) => Promise<Response> | null
}): Promise<void> {
  const own = session.defaultSession
  // While developing there may be no built files at all.
  const built = isBuilt(page) ? createShellFiles(folder) : null
  const nothing = (): Response => new Response(null, { status: 404 })
  protocol.handle(scheme, async ({ url, method }) => stored(url, method) ?? (await built)?.(url, method) ?? nothing())
  own.webRequest.onBeforeRequest(({ url }, done) => done({ cancel: !isOwnRequest(url, page) }))
  own.setPermissionRequestHandler((_contents, _permission, done) => done(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  app.on('web-contents-created', (_event, contents) => refuseToLeave(contents))
  await built
}

/** The colours of --bg in src/look/look.css, so that the first frame does not flash. */
const background = (): string => (nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff')

/** The window of the app, hidden while its page loads; to be shown when its first frame is painted. */
export function createShellWindow(options: {
  readonly preload: string
  readonly page: string
  readonly icon?: string
  readonly file: WindowFile
  /** Also of a built app. */
  readonly devTools: boolean
}): { readonly window: BrowserWindow; readonly painted: Promise<void>; readonly show: () => void } {
  const { bounds, isMaximised } = options.file.state()
  const window = new BrowserWindow({
    title: 'Galley',
    ...openingBounds(
      bounds,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: smallest.width,
    minHeight: smallest.height,
    // Alt shows it; the palette has all of it too.
    autoHideMenuBar: true,
    show: false,
    backgroundColor: background(),
    ...(options.icon === undefined ? {} : { icon: options.icon }),
    webPreferences: {
      ...strictPage,
      // Fields of dates speak the language of the page, not that of the system.
      enableBlinkFeatures: 'LangAttributeAwareFormControlUI',
      preload: options.preload,
      devTools: options.devTools || !isBuilt(options.page),
    },
  })
  const painted = new Promise<void>((resolve) => window.once('ready-to-show', () => resolve()))
  const show = (): void => {
    // The theme may be another one by now.
    window.setBackgroundColor(background())
    if (isMaximised) window.maximize()
    bringToFront(window)
    if (options.devTools) window.webContents.openDevTools({ mode: 'detach' })
  }
  const keepPlace = (): void =>
    options.file.change({ bounds: window.getNormalBounds(), isMaximised: window.isMaximized() })
  window.on('close', keepPlace)
  // Fails when the window closes first, which is told by its end, or when its process dies, which `watchPage` hears of.
  window.loadURL(options.page).catch(() => undefined)
  return { window, painted, show }
}

/** Shows the page in light or dark at once; everything in it follows. */
export const applyTheme = (theme: 'system' | 'light' | 'dark'): void => {
  nativeTheme.themeSource = theme
}

/** The one check of who is calling: the main frame of a window of ours, showing the shell's page and no other. */
export const isShellSender =
  (page: string) =>
  ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    BrowserWindow.fromWebContents(sender) !== null &&
    senderFrame.url.split('#')[0] === page

/** The windows that `createPush` speaks to: those of ours, never one that draws a stored page. */
export const shellContents = (): readonly WebContents[] =>
  BrowserWindow.getAllWindows()
    .map((window) => window.webContents)
    .filter((contents) => contents.session === session.defaultSession)

/** Shows an editing session in the user's browser; whoever calls has asked where that may be. */
export async function openInBrowser(url: string): Promise<void> {
  if (!isOpenableEditorUrl(url)) throw new Error('This address is not one to be opened')
  await shell.openExternal(url)
}
