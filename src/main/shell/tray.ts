import type { AppSettingsStore, IndexReads, Listening, SavePauseSwitch } from '@galley/library'
import { Menu, nativeImage, Tray } from 'electron'

import { localeOf } from '../../texts/catalogue.ts'
import type { ShellWords } from './language.ts'
import { languageOf } from './language.ts'
import type { RecentSite } from './recent-sites.ts'
import type { TrayAction, TrayLine } from './tray-menu.ts'
import { trayMenu, trayTip } from './tray-menu.ts'

interface Ports {
  readonly index: Pick<IndexReads, 'callbacks'>
  readonly settings: Pick<AppSettingsStore, 'read'>
  readonly listener: Pick<Listening, 'state'>
  readonly pauses: SavePauseSwitch
  readonly words: ShellWords
  /** The path of the icon. */
  readonly icon: string
  readonly showWindow: () => void
  readonly startListener: () => Promise<unknown>
  readonly quit: () => void
  readonly recentSites: () => readonly RecentSite[]
  readonly showLink: (link: string) => void
}

/** The tray of a library. `renew` updates its state and language. */
export function startTray({ index, settings, listener, pauses, words, icon, recentSites, ...act }: Ports) {
  const run = (action: TrayAction): void => {
    switch (action) {
      case 'show':
        return act.showWindow()
      // Pauses saves instead of closing the port: the editor shows the reason, and the service does not retry.
      case 'pause':
        return void pauses.pause(null, words.t()('system:tray.pauseReason'))
      case 'resume':
        return void pauses.resume(null)
      case 'start':
        return void act.startListener()
      case 'quit':
        return act.quit()
    }
  }
  const tray = createTray(icon, run, act.showLink)

  function lastSave(): string | null {
    const [newest] = index.callbacks.list({ site: null, outcome: 'stored', limit: 1 })
    if (newest === undefined) return null
    const locale = localeOf[languageOf(settings.read())]
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    return format.format(Date.parse(newest.receivedAt))
  }

  return {
    renew(): void {
      const facts = { listener: listener.state(), saves: pauses.read(), lastSave: lastSave(), recent: recentSites() }
      tray.update(trayMenu(facts, words.system()), trayTip(facts, words.system()))
    },
    remove: tray.remove,
  }
}

/** The tray icon. Its menu and tooltip are set whenever they change. */
function createTray(icon: string, act: (action: TrayAction) => void, showLink: (link: string) => void) {
  const image = nativeImage.createFromPath(icon).resize({ width: 22, height: 22 })
  // On a computer without a tray, Electron draws nothing; the window still works.
  const tray = new Tray(image)
  // On macOS a click opens the menu and also sends an event.
  if (process.platform !== 'darwin') tray.on('click', () => act('show'))
  return {
    update(lines: readonly TrayLine[], tip: string): void {
      tray.setToolTip(tip)
      tray.setContextMenu(
        Menu.buildFromTemplate(
          lines.map((line) => {
            switch (line.kind) {
              case 'line':
                return { type: 'separator' }
              case 'fact':
                return { label: line.label, enabled: false }
              case 'site':
                return { label: line.label, click: () => showLink(line.link) }
              case 'action':
                return { label: line.label, click: () => act(line.action) }
            }
          }),
        ),
      )
    },
    remove: () => tray.destroy(),
  }
}
