import { isOpenableEditorUrl } from '@galley/library'
import { app, BrowserWindow, nativeTheme, protocol, screen, session, shell } from 'electron'
import type { IpcMainInvokeEvent, WebContents } from 'electron'

import { strictPage } from '../electron/strict-page.ts'
import { reviewScheme } from '../review/review-scheme.ts'
import { bringToFront } from './page-failure.ts'
import { createShellFiles } from './shell-files.ts'
import { openingBounds, smallest } from './window-bounds.ts'
import type { WindowFile } from './window-file.ts'

const scheme = 'app'

/** The URL of the pages in the built app. electron-vite keeps their folders relative to its root. */
const builtPages = `${scheme}://galley/`

/** The URL of the window: electron-vite's server during development, otherwise the built files. */
export const shellPage = (devServerUrl: string | undefined): string =>
  new URL('/renderer/index.html', devServerUrl ?? builtPages).href

const isBuilt = (page: string): boolean => page.startsWith(builtPages)

/** Gives `app://` and the scheme of stored pages their own origins. Electron allows this only before the app is ready. */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, codeCache: true } },
    // Stored pages. Electron allows registering schemes only before it is ready.
    { scheme: reviewScheme, privileges: { standard: true, secure: true, corsEnabled: true, stream: true } },
  ])
}

/**
 * Prevents DNS lookups by pages. Call it before the app is ready: a `dns-prefetch` in a stored page passes every other
 * check. Galley's own requests use Node.
 */
export function refuseNames(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE localhost')
}

/**
 * Compiles the functions of page scripts when they are loaded, before the app is ready: so the code cache has all of them at
 * the next start. For module scripts it would otherwise contain only what ran during evaluation.
 */
export function compileEagerly(): void {
  app.commandLine.appendSwitch('js-flags', '--no-lazy')
}

/** Whether a request of the window is allowed: its own files, and the dev server during development. */
function isOwnRequest(url: string, page: string): boolean {
  if (url.startsWith(builtPages) || url.startsWith('devtools://')) return true
  if (isBuilt(page)) return false
  return url.replace(/^ws/, 'http').startsWith(`${new URL(page).origin}/`)
}

/** Blocks leaving a page: navigation, new windows, webviews. */
function refuseToLeave(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => {
    // A stored page may show its own files in frames: its session answers no other address of this scheme.
    if (event.isMainFrame || !event.url.startsWith(`${reviewScheme}://`)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/**
 * Call once, when the app is ready: serves the built files in `folder` and the library's files from `stored`, and refuses
 * all other requests. Takes effect at once; the promise rejects if there are no built files.
 */
export async function prepareShell({
  folder,
  page,
  stored,
}: {
  readonly folder: string
  readonly page: string
  /** null for URLs that do not belong to the library. */
  readonly stored: (url: string, method: string) => Promise<Response> | null
}): Promise<void> {
  const own = session.defaultSession
  // During development there may be no built files.
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

/** The window of the app, hidden while its page loads. Show it when the first frame is painted. */
export function createShellWindow(options: {
  readonly preload: string
  readonly page: string
  readonly icon?: string
  readonly file: WindowFile
  /** Whether developer tools are available, also in a built app. */
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
    // Alt shows the menu; the command palette has the same commands.
    autoHideMenuBar: true,
    show: false,
    backgroundColor: background(),
    ...(options.icon === undefined ? {} : { icon: options.icon }),
    webPreferences: {
      ...strictPage,
      // Only fields for prose ask for it.
      spellcheck: true,
      // Date fields use the language of the page, not of the system.
      enableBlinkFeatures: 'LangAttributeAwareFormControlUI',
      preload: options.preload,
      devTools: options.devTools || !isBuilt(options.page),
    },
  })
  const painted = new Promise<void>((resolve) => window.once('ready-to-show', () => resolve()))
  const show = (): void => {
    // The theme may have changed.
    window.setBackgroundColor(background())
    if (isMaximised) window.maximize()
    bringToFront(window)
    if (options.devTools) window.webContents.openDevTools({ mode: 'detach' })
  }
  const keepBounds = (): void =>
    options.file.change({ bounds: window.getNormalBounds(), isMaximised: window.isMaximized() })
  window.on('close', keepBounds)
  // Fails if the window closes first, or if its process dies, which `watchPage` handles.
  window.loadURL(options.page).catch(() => undefined)
  return { window, painted, show }
}

/** Switches the page to light or dark at once. */
export const applyTheme = (theme: 'system' | 'light' | 'dark'): void => {
  nativeTheme.themeSource = theme
}

/** Checks callers: only the main frame of Galley's window with the app's page. */
export const isShellSender =
  (page: string) =>
  ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    BrowserWindow.fromWebContents(sender) !== null &&
    senderFrame.url.split('#')[0] === page

/** The windows for `createPush`: only those of Galley, never one that shows a stored page. */
export const shellContents = (): readonly WebContents[] =>
  BrowserWindow.getAllWindows()
    .map((window) => window.webContents)
    .filter((contents) => contents.session === session.defaultSession)

/** Opens an editing session in the user's browser. The caller has asked for permission. */
export async function openInBrowser(url: string): Promise<void> {
  if (!isOpenableEditorUrl(url)) throw new Error('This address is not one to be opened')
  await shell.openExternal(url)
}
