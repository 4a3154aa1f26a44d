import type { AppSettingsStore, ChangeFeed, IndexReads, Listening, SavePauseSwitch, Tasks } from '@galley/library'
import type { AppSettings, CommandId } from '@galley/library/records'
import { chosenShortcuts } from '@galley/library/records'
import type { BrowserWindow } from 'electron'
import { app, Menu } from 'electron'

import type { Push } from '../electron/serve.ts'
import { appMenu } from './app-menu.ts'
import { createShellWords } from './language.ts'
import { itemOfLink } from './link-item.ts'
import type { Links } from './links.ts'
import { createNotifications } from './notifications.ts'
import { bringToFront } from './page-failure.ts'
import { jumpList, recentSites } from './recent-sites.ts'
import type { RecentSite } from './recent-sites.ts'
import { startTray } from './tray.ts'
import type { WindowFile } from './window-file.ts'
import { applyTheme } from './window.ts'

/** The dependencies of the desktop integration. */
export interface ShellPorts {
  readonly index: IndexReads
  readonly settings: AppSettingsStore
  readonly listener: Pick<Listening, 'state' | 'onState'>
  readonly pauses: SavePauseSwitch
  readonly tasks: Tasks
  readonly changes: ChangeFeed
  readonly window: BrowserWindow
  readonly file: WindowFile
  readonly push: Push
  readonly links: Links
  /** The library folder if a start has to name it; null: the usual one. */
  readonly namedLibrary: string | null
  readonly startListener: () => Promise<unknown>
  /** The path of the tray icon. */
  readonly icon: string
  /** Whether the window really closes, even if the listener runs. */
  readonly isQuitting: () => boolean
  /** Whether quitting would show a question now. */
  readonly wouldAsk: () => boolean
}

/**
 * Puts the recent sites into the menu of the dock (macOS) or the jump list (Windows), whenever they are others; Linux has
 * neither, and the tray has them everywhere.
 * @param library Named in the jump list, whose entries start a process; null: the usual one
 */
function createSitePlaces(library: string | null, show: (link: string) => void) {
  let placed = ''
  return (sites: readonly RecentSite[], title: string): void => {
    const wanted = JSON.stringify([sites, title])
    if (wanted === placed) return
    placed = wanted
    app.dock?.setMenu(Menu.buildFromTemplate(sites.map(({ name, link }) => ({ label: name, click: () => show(link) }))))
    if (process.platform !== 'win32') return
    const removed = app.getJumpListSettings().removedItems.map(({ args = '' }) => args)
    app.setJumpList([...jumpList(sites, { path: process.execPath, library, title, removed })])
  }
}

/**
 * Sets up menu, tray and notifications in the language of the settings, and updates them, until the returned function is
 * called.
 */
export function startDesktopShell(ports: ShellPorts): () => void {
  const { index, settings, listener, changes, window, file, push, links, isQuitting: isEnding } = ports
  const words = createShellWords(settings.read())
  const showWindow = (): void => bringToFront(window)
  const run = (id: CommandId): void => {
    showWindow()
    push('command', { id })
  }
  const isWatched = (): boolean => window.isVisible() && window.isFocused()
  const notifications = createNotifications({ ...ports, words, run, showWindow, isWatched })
  const showLink = (link: string): void => {
    showWindow()
    push('show', itemOfLink(index, link))
  }
  const sitesNow = () => recentSites(file.state().recentSites, index.sites.list())
  const tray = startTray({ ...ports, words, showWindow, quit: () => app.quit(), recentSites: sitesNow, showLink })
  const placeSites = createSitePlaces(ports.namedLibrary, showLink)

  // The language changes shortly after the settings; by then tray and library may be closed.
  const renewTray = (): void => {
    if (isEnding()) return
    tray.renew()
    const t = words.t()
    placeSites(sitesNow(), t('system:recentSites'))
  }
  let shownTheme = settings.read().theme
  const renew = async (next: AppSettings): Promise<void> => {
    if (next.theme !== shownTheme) applyTheme(next.theme)
    shownTheme = next.theme
    await words.change(next)
    const quit = () => app.quit()
    const onMac = process.platform === 'darwin'
    const template = appMenu({ t: words.t(), onMac, chosenKeys: chosenShortcuts(next.shortcuts), run, quit })
    Menu.setApplicationMenu(Menu.buildFromTemplate([...template]))
    renewTray()
  }
  void renew(settings.read())

  const stopKeeping = keepInTray(ports, () => {
    const t = words.t()
    notifications.notify({ title: t('system:stillListening.title'), body: t('system:stillListening.text') }, showWindow)
  })
  app.on('activate', showWindow)
  app.on('second-instance', showWindow)
  const stops = [
    settings.onChange((next) => void renew(next)),
    listener.onState(renewTray),
    changes.watch(renewTray),
    notifications.stop,
    tray.remove,
    stopKeeping,
    links.showIn(showLink),
    file.onChange(renewTray),
    () => app.off('activate', showWindow).off('second-instance', showWindow),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Hides the window instead of closing it while the listener runs, until the returned function is called. `tell` explains it
 * the first time.
 */
function keepInTray(
  { window, settings, listener, file, isQuitting: isEnding, wouldAsk }: ShellPorts,
  explain: () => void,
): () => void {
  const onClose = (event: Electron.Event): void => {
    if (isEnding()) return
    const isListening = listener.state().kind === 'listening'
    if (!isListening || !settings.read().keepInTray) {
      if (!wouldAsk()) return
      // A closed window could not stay in the tray. Electron crashes if the app quits while a window closes.
      event.preventDefault()
      setImmediate(() => app.quit())
      return
    }
    event.preventDefault()
    window.hide()
    if (file.state().toldOfTray) return
    file.change({ toldOfTray: true })
    explain()
  }
  window.on('close', onClose)
  return () => window.off('close', onClose)
}
