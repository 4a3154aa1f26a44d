import { app, Menu, Notification } from 'electron'
import type { BrowserWindow } from 'electron'

import type { CallbackRecord } from '../../../contract/domain/callback-record.ts'
import type { AppSettings } from '../../../contract/ipc/settings.ts'
import type { TaskId } from '../../../contract/ids.ts'
import type { Task } from '../../../contract/ipc/tasks.ts'
import { endedQuietly, taskName } from '../../../contract/ipc/tasks.ts'
import type { CommandId } from '../../../contract/domain/shortcuts.ts'
import { chosenShortcuts } from '../../../contract/domain/shortcuts.ts'
import { createTexts, languageFor, localeOf } from '../../../texts/catalogue.ts'
import type { Language } from '../../../texts/catalogue.ts'
import type { Galley } from '../../galley.ts'
import type { Push } from '../../platform/electron/serve.ts'
import { appMenu } from './app-menu.ts'
import { createNotices } from './notices.ts'
import type { Notice } from './notices.ts'
import { bringToFront } from './page-trouble.ts'
import type { TrayAction } from './tray-menu.ts'
import { trayMenu, trayTip } from './tray-menu.ts'
import { createTray } from './tray.ts'
import type { WindowFile } from './window-file.ts'
import { applyTheme } from './window.ts'

interface Edges {
  readonly galley: Galley
  readonly window: BrowserWindow
  readonly file: WindowFile
  readonly push: Push
  readonly startListener: () => Promise<unknown>
  /** Path of a picture for the tray. */
  readonly icon: string
  /** Whether the window closes for good, whatever listens. */
  readonly isEnding: () => boolean
  /** Whether a quit would ask somebody now. */
  readonly wouldAsk: () => boolean
}

/** Notifications that lead somewhere when they are clicked; older ones only go away. */
const heldNotifications = 50

/** The language of everything outside of the page. */
export const languageOf = ({ language }: AppSettings): Language =>
  language === 'system' ? languageFor(app.getLocale()) : language

/**
 * Menu, tray and notifications around the window, all in the language that the settings name, renewed with them; until the
 * returned function is called.
 */
export function startDesktopShell(edges: Edges): () => void {
  const { galley, window, file, push, startListener, icon, isEnding, wouldAsk } = edges
  const texts = createTexts(languageOf(galley.settings.read()))
  const t = () => texts.getFixedT(texts.language, ['system', 'app', 'tasks', 'help'] as const)
  const showWindow = (): void => bringToFront(window)
  const run = (id: CommandId): void => {
    showWindow()
    push('command', { id })
  }
  const act = (action: TrayAction): void => {
    if (action === 'show') showWindow()
    // Refused by rule, not by a dead port: the editor is then told why, and the service does not try again and again.
    if (action === 'pause') galley.pauses.pause(null, t()('system:tray.pauseReason'))
    if (action === 'resume') galley.pauses.resume(null)
    if (action === 'start') void startListener()
    if (action === 'quit') app.quit()
  }
  const tray = createTray(icon, act)

  const isLookedAt = (): boolean => window.isVisible() && window.isFocused()
  const held: Notification[] = []
  const notify = (words: { readonly title: string; readonly body?: string }, onClick: () => void): void => {
    const notification = new Notification({ ...words, silent: true })
    notification.on('click', onClick)
    notification.show()
    // One that nobody holds is collected, and a click on it leads nowhere, though it still lies in the list of the system.
    held.push(notification)
    held.splice(0, held.length - heldNotifications)
  }
  const showNotice = ({ title, body, callback }: Notice): void =>
    notify({ title, body }, () => {
      showWindow()
      push('show', { site: callback.site, callbackId: callback.id })
    })
  const nameOf = ({ site, materialId, kind }: CallbackRecord): string => {
    if (kind === 'site_fonts_updated') return t()('app:sections.fonts')
    const title = materialId === null ? '' : galley.index.materials.find(site, materialId)?.title
    return title || (materialId ?? '')
  }
  const notices = createNotices({
    t: () => texts.getFixedT(texts.language, 'system'),
    wishes: () => galley.settings.read().notifications,
    isLookedAt,
    nameOf,
    show: showNotice,
  })

  const announced = new Set<TaskId>()
  const tellOfTask = (task: Task): void => {
    const { kind } = task.end
    const isNews = (kind === 'done' || kind === 'failed') && !endedQuietly(task) && !announced.has(task.id)
    if (!isNews || isLookedAt() || !galley.settings.read().notifications.tasks) return
    announced.add(task.id)
    const name = t()(`tasks:names.${taskName(task)}`)
    const title = kind === 'done' ? t()('tasks:finished', { task: name }) : t()('tasks:failed', { task: name })
    notify({ title }, () => run('tasks.open'))
  }

  const lastSave = (): string | null => {
    const [newest] = galley.index.callbacks.list({ site: null, outcome: 'stored', limit: 1 })
    if (newest === undefined) return null
    const locale = localeOf[languageOf(galley.settings.read())]
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
      Date.parse(newest.receivedAt),
    )
  }
  const renewTray = (): void => {
    // The language is renewed a moment after the settings; by then tray and library may be gone.
    if (isEnding()) return
    const words = texts.getFixedT(texts.language, 'system')
    const facts = { listener: galley.listenerState(), saves: galley.pauses.read(), lastSave: lastSave() }
    tray.update(trayMenu(facts, words), trayTip(facts, words))
  }
  const renewMenu = ({ shortcuts }: AppSettings): void => {
    const template = appMenu({
      t: t(),
      onMac: process.platform === 'darwin',
      chosenKeys: chosenShortcuts(shortcuts),
      run,
      quit: () => app.quit(),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate([...template]))
  }
  let shownTheme = galley.settings.read().theme
  const renew = async (settings: AppSettings): Promise<void> => {
    if (settings.theme !== shownTheme) applyTheme(settings.theme)
    shownTheme = settings.theme
    await texts.changeLanguage(languageOf(settings))
    renewMenu(settings)
    renewTray()
  }

  void renew(galley.settings.read())
  const stops = [
    galley.settings.onChange((settings) => void renew(settings)),
    galley.onListenerState(renewTray),
    galley.watch(renewTray),
    galley.tasks.onChange(tellOfTask),
    galley.onCallback((id) => {
      const callback = galley.index.callbacks.find(id)
      if (callback !== null) notices.arrived(callback)
    }),
    notices.stop,
    tray.remove,
  ]

  window.on('close', (event) => {
    if (isEnding()) return
    const isListening = galley.listenerState().kind === 'listening'
    if (!isListening || !galley.settings.read().keepInTray) {
      if (!wouldAsk()) return
      // A window that is gone could not keep running. Electron does not stand a quit while it closes a window.
      event.preventDefault()
      setImmediate(() => app.quit())
      return
    }
    event.preventDefault()
    window.hide()
    if (file.state().toldOfTray) return
    file.change({ toldOfTray: true })
    notify({ title: t()('system:stillListening.title'), body: t()('system:stillListening.text') }, showWindow)
  })
  app.on('activate', showWindow)
  app.on('second-instance', showWindow)
  return () => {
    for (const stop of stops) stop()
  }
}
