import { app, BrowserWindow, clipboard, dialog, shell } from 'electron'
import type { OpenDialogOptions, SaveDialogOptions } from 'electron'
import type { TFunction } from 'i18next'

import type { Choice, Desktop, DialogText } from '../ipc/desktop.ts'
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

/** Enter presses `defaultId`. Returns true for the first button, false for the second and for a closed dialog. */
async function askBetween(
  type: 'error' | 'question',
  { message, detail, buttons }: DialogText,
  defaultId: 0 | 1,
): Promise<boolean> {
  const options = { type, title: app.name, message, detail, buttons: [...buttons], defaultId, cancelId: 1 }
  const { response } = await dialog.showMessageBox(options)
  return response === 0
}

/** Electron's dialogs in the language of `words`, and the desktop's own programs. */
export function createDesktop(words: () => TFunction<'system'>): Desktop {
  // macOS shows no dialog titles, but a message above the files.
  const named = (what: Choice) => ({ title: words()(`choosing.${what}`), message: words()(`choosing.${what}`) })
  return {
    openInBrowser,
    async openMail(url) {
      if (!url.startsWith('mailto:')) throw new Error('This address is not a mail')
      await shell.openExternal(url)
    },
    chooseFile: (what, { extensions }) =>
      chosen({ ...named(what), properties: ['openFile'], filters: filtersFor(extensions) }),
    chooseFolder: (what) => chosen({ ...named(what), properties: ['openDirectory', 'createDirectory'] }),
    async chooseNewFile(what, { name, extensions }) {
      const window = BrowserWindow.getFocusedWindow()
      const options: SaveDialogOptions = { ...named(what), defaultPath: name, filters: filtersFor(extensions) }
      const { canceled, filePath } = await (window
        ? dialog.showSaveDialog(window, options)
        : dialog.showSaveDialog(options))
      return canceled || filePath === '' ? null : filePath
    },
    warn: (question) => askBetween('error', question, 0),
    ask: (question) => askBetween('question', question, 1),
    // Electron 45 returns a promise, older versions do not.
    copyText: async (text) => {
      await clipboard.writeText(text)
    },
    showInFolder: (path) => shell.showItemInFolder(path),
    async setStartAtLogin(isWanted) {
      // A login has neither the arguments nor the environment of this process.
      const library = givenLibrary(process.argv.slice(1), process.env)
      const args = library === null ? [] : ['--library', library]
      // macOS passes no arguments: there, the library of the settings is opened.
      if (process.platform !== 'linux') return app.setLoginItemSettings({ openAtLogin: isWanted, args })
      // An AppImage runs from a folder that is there only until it ends.
      const program = app.isPackaged ? [process.env.APPIMAGE ?? process.execPath] : [process.execPath, app.getAppPath()]
      await setAutostart(autostartFile(app.getPath('appData')), isWanted ? [...program, ...args] : null)
    },
    relaunch() {
      // Opens the chosen library instead of the one given to this process.
      delete process.env.GALLEY_LIBRARY
      app.relaunch({ args: [...withoutLibrary(process.argv.slice(1))] })
      app.quit()
    },
  }
}
