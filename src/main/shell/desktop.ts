import { app, BrowserWindow, clipboard, dialog, shell } from 'electron'
import type { OpenDialogOptions, SaveDialogOptions } from 'electron'

import type { Desktop, Told } from '../ipc/desktop.ts'
import { autostartFile, setAutostart } from './autostart.ts'
import { givenLibrary, withoutLibrary } from './given-library.ts'
import { openInBrowser } from './window.ts'

const filtersFor = (extensions: readonly string[]) =>
  extensions.length === 0
    ? []
    : [{ name: extensions.map((each) => `*.${each}`).join(', '), extensions: [...extensions] }]

async function chosen(options: OpenDialogOptions): Promise<string | null> {
  const window = BrowserWindow.getFocusedWindow()
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options))
  return canceled ? null : (filePaths[0] ?? null)
}

/** `usual`: the way that the return key goes. True for the first way, false for the second and for a dialog that was closed. */
async function askBetween(type: 'error' | 'question', { message, detail, ways }: Told, usual: 0 | 1): Promise<boolean> {
  const buttons = [...ways]
  const { response } = await dialog.showMessageBox({ type, message, detail, buttons, defaultId: usual, cancelId: 1 })
  return response === 0
}

/** Electron's dialogs and the desktop's own programs; titles are left to the system, which speaks its user's language. */
export const desktop: Desktop = {
  openInBrowser,
  chooseFile: ({ extensions }) => chosen({ properties: ['openFile'], filters: filtersFor(extensions) }),
  chooseFolder: () => chosen({ properties: ['openDirectory', 'createDirectory'] }),
  async chooseNewFile({ name, extensions }) {
    const window = BrowserWindow.getFocusedWindow()
    const options: SaveDialogOptions = { defaultPath: name, filters: filtersFor(extensions) }
    const { canceled, filePath } = await (window
      ? dialog.showSaveDialog(window, options)
      : dialog.showSaveDialog(options))
    return canceled || filePath === '' ? null : filePath
  },
  warn: (told) => askBetween('error', told, 0),
  ask: (told) => askBetween('question', told, 1),
  // Electron 45 answers with a promise, older ones at once.
  copyText: async (text) => {
    await clipboard.writeText(text)
  },
  showInFolder: (path) => shell.showItemInFolder(path),
  async setStartAtLogin(isWanted) {
    if (process.platform !== 'linux') return app.setLoginItemSettings({ openAtLogin: isWanted })
    const program = app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()]
    // A login has neither the arguments of this start nor its environment.
    const library = givenLibrary(process.argv.slice(1), process.env)
    const command = library === null ? program : [...program, '--library', library]
    await setAutostart(autostartFile(app.getPath('appData')), isWanted ? command : null)
  },
  relaunch() {
    // The library that was chosen is opened, not the one that this start was given.
    delete process.env.GALLEY_LIBRARY
    app.relaunch({ args: [...withoutLibrary(process.argv.slice(1))] })
    app.quit()
  },
}
