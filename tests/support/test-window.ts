import { join } from 'node:path'

import { anyChange } from '../../packages/library/views/changes.ts'
import type { Change } from '../../packages/library/views/changes.ts'
import { openLogFile } from '../../packages/platform/logging/log-file.ts'
import type { Desktop, DialogText } from '../../src/main/ipc/desktop.ts'
import type { HandlerEdges } from '../../src/main/ipc/handlers/library-handlers.ts'
import { libraryHandlers } from '../../src/main/ipc/handlers/library-handlers.ts'
import { createThemePictures } from '../../src/main/ipc/theme-pictures.ts'
import { createTexts } from '../../src/texts/catalogue.ts'
import type { Galley } from './open-galley.ts'

/**
 * A desktop whose dialogs are answered by the test. Paths are used in order; null is a closed dialog. Questions are
 * cancelled unless the test agrees to the next ones.
 */
export function testDesktop(chosen: (string | null)[] = []) {
  const shown: string[] = []
  const opened: string[] = []
  const asked: DialogText[] = []
  const agreed: boolean[] = []
  const next = () => Promise.resolve(chosen.shift() ?? null)
  const desktop: Desktop = {
    openInBrowser: async (url) => void opened.push(url),
    openMail: async (url) => void opened.push(url),
    chooseFile: next,
    chooseNewFile: next,
    chooseFolder: next,
    warn: async ({ message, detail }) => shown.push(`${message}: ${detail}`) > 0,
    ask: async (told) => (asked.push(told), agreed.shift() ?? false),
    copyText: async (text) => void shown.push(text),
    showInFolder: (path) => void shown.push(path),
    setStartAtLogin: async (isWanted) => void shown.push(`start at login ${isWanted}`),
    relaunch: () => void shown.push('relaunch'),
  }
  return { desktop, chosen, shown, opened, asked, agreed }
}

const themesFolder = join(import.meta.dirname, '../../resources/themes')

/** All calls of a window to a library, wired as in the app, with a desktop that the test controls. */
export function testWindow(galley: Galley, over: Partial<HandlerEdges> = {}) {
  const answered = testDesktop()
  const changes: string[] = []
  const off = { kind: 'off' } as const
  const changed = (change: Change = anyChange): void => {
    changes.push(...change.subjects)
    galley.changes.changed(change)
  }
  const calls = libraryHandlers(
    { ...galley, changes: { changed } },
    {
      desktop: answered.desktop,
      startListener: () => Promise.resolve(galley.listener.state()),
      reopen: () => void answered.shown.push('reopen'),
      unfinished: null,
      rememberLibrary: () => Promise.resolve({ isOverruled: false }),
      tryIt: {
        state: () => off,
        running: () => null,
        start: () => Promise.resolve({ ok: true, value: off }),
        wake: () => Promise.resolve(),
        remove: () => Promise.resolve({ ok: true, value: true }),
        close: () => Promise.resolve(),
      },
      emulators: {
        state: () => Promise.resolve(null),
        running: () => Promise.resolve(null),
        start: () => Promise.resolve({ ok: true, value: null }),
        stop: () => Promise.resolve(),
        stopRemoved: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      words: () => createTexts('en').getFixedT('en', 'system'),
      confirmErase: () => Promise.resolve(true),
      themesFolder,
      pictures: createThemePictures(),
      log: openLogFile(galley.folder, 'app', (line) => line),
      documentation: join(themesFolder, '../../docs'),
      notices: join(themesFolder, '../../LICENSE'),
      runtime: { electron: '45.4.1', chromium: '150.0.0.0', node: '24.0.0', isDevelopment: true, isUnsupported: false },
      changed: (subjects) => void changes.push(...subjects),
      ...over,
    },
  )
  return { ...answered, calls, changes }
}
