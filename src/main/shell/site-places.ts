import { app, Menu } from 'electron'

import type { RecentSite } from './recent-sites.ts'
import { jumpList } from './recent-sites.ts'

/**
 * Puts the recent sites into the menu of the dock (macOS) or the jump list (Windows), whenever they are others; Linux has
 * neither, and the tray has them everywhere.
 * @param library Named in the jump list, whose entries start a process; null: the usual one
 */
export function createSitePlaces(library: string | null, show: (link: string) => void) {
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
