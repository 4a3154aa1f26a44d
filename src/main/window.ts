import { app, BrowserWindow, Menu, nativeTheme, protocol, session, shell } from 'electron'
import type { IpcMainInvokeEvent, WebContents } from 'electron'

import { isOpenableEditorUrl } from './editor-url.ts'
import { createShellFiles } from './shell-files.ts'

const scheme = 'app'

/** The window's page in the built app; electron-vite keeps the folder of the page below its root. */
const builtPage = `${scheme}://galley/renderer/index.html`

/** The address the window shows: electron-vite's server while developing, the built files otherwise. */
export const shellPage = (devServerUrl: string | undefined): string =>
  devServerUrl === undefined ? builtPage : new URL('/renderer/index.html', devServerUrl).href

/** Makes `app://` a scheme with an origin of its own; Electron takes this only before the app is ready. */
export function registerShellScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }])
}

/** Whether a request of the window may go out at all: its own files, and the dev server while there is one. */
function isOwnRequest(url: string, page: string): boolean {
  if (url.startsWith(`${scheme}://galley/`) || url.startsWith('devtools://')) return true
  if (page === builtPage) return false
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

/** Once, when the app is ready: serves the built files in `folder` and refuses all else the page could ask for. */
export async function prepareShell({
  folder,
  page,
}: {
  readonly folder: string
  readonly page: string
}): Promise<void> {
  const own = session.defaultSession
  // While developing there may be no built files at all.
  if (page === builtPage) {
    const answer = await createShellFiles(folder)
    protocol.handle(scheme, ({ url, method }) => answer(url, method))
  }
  own.webRequest.onBeforeRequest(({ url }, done) => done({ cancel: !isOwnRequest(url, page) }))
  own.setPermissionRequestHandler((_contents, _permission, done) => done(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  app.on('web-contents-created', (_event, contents) => refuseToLeave(contents))
  // macOS takes copy and paste from the menu; elsewhere a menu would only offer reload and zoom.
  const macMenu = (): Menu =>
    Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
  Menu.setApplicationMenu(process.platform === 'darwin' ? macMenu() : null)
}

/** Opens the window of the app; it shows itself when the first frame is painted. */
export function createShellWindow(options: {
  readonly preload: string
  readonly page: string
  readonly icon?: string
}): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Galley',
    width: 1280,
    height: 800,
    minWidth: 760,
    minHeight: 520,
    show: false,
    // The colours of --bg in renderer/ui/tokens.css, so that the first frame does not flash.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
    ...(options.icon === undefined ? {} : { icon: options.icon }),
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      devTools: options.page !== builtPage,
    },
  })
  window.once('ready-to-show', () => window.show())
  void window.loadURL(options.page)
  return window
}

/** The one check of who is calling: the main frame of a window of ours, showing the shell's page and no other. */
export const isShellSender =
  (page: string) =>
  ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    BrowserWindow.fromWebContents(sender) !== null &&
    senderFrame.url.split('#')[0] === page

/** The windows that `createPush` speaks to. */
export const shellContents = (): readonly WebContents[] =>
  BrowserWindow.getAllWindows().map((window) => window.webContents)

/** Shows an editing session in the user's browser; false when its address is not one to be opened. */
export async function openInBrowser(url: string): Promise<boolean> {
  if (!isOpenableEditorUrl(url)) return false
  await shell.openExternal(url)
  return true
}
