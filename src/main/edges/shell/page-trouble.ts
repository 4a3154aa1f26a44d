import type { BrowserWindow } from 'electron'
import type { TFunction } from 'i18next'

import type { Desktop } from '../ipc/desktop.ts'

interface Edges {
  readonly t: () => TFunction<'system'>
  readonly warn: Desktop['warn']
  readonly log: (line: string) => void
  /** True while the app ends, which takes the pages along. */
  readonly isEnding: () => boolean
}

/**
 * Asks what is to become of a window whose page has lost its process or does not answer: nothing in the window could.
 * Nobody is asked about a window that nobody sees; its page is loaded again when it comes to the front.
 */
export function watchPage(window: BrowserWindow, { t, warn, log, isEnding }: Edges): void {
  const { webContents } = window
  let isAsking = false
  let isEndedByUs = false

  async function ask(trouble: 'gone' | 'hanging', otherwise: 'close' | 'wait'): Promise<boolean> {
    isAsking = true
    const told = { message: t()(`pageTrouble.${trouble}.title`), detail: t()(`pageTrouble.${trouble}.text`) }
    const isWanted = await warn({ ...told, ways: [t()('pageTrouble.again'), t()(`pageTrouble.${otherwise}`)] })
    isAsking = false
    return isWanted
  }
  const isToAsk = (): boolean => !isAsking && !isEnding() && window.isVisible()

  async function askAboutGone(): Promise<void> {
    const isWanted = await ask('gone', 'close')
    if (window.isDestroyed()) return
    if (isWanted) webContents.reload()
    else window.close()
  }
  async function askAboutHanging(): Promise<void> {
    const isWanted = await ask('hanging', 'wait')
    if (window.isDestroyed() || !isWanted) return
    if (webContents.isCrashed()) return webContents.reload()
    // A page that hangs would not hear of it.
    isEndedByUs = true
    webContents.forcefullyCrashRenderer()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (!isEnding()) log(`the process of a window ended: ${reason} (${exitCode})`)
    if (isEndedByUs) webContents.reload()
    else if (isToAsk()) void askAboutGone()
    isEndedByUs = false
  })
  window.on('unresponsive', () => {
    if (isToAsk()) void askAboutHanging()
  })
}

/** Brings a window to the front, with its page where that lost its process meanwhile. */
export function bringToFront(window: BrowserWindow): void {
  // A notification outlives the window that it leads to.
  if (window.isDestroyed()) return
  if (window.webContents.isCrashed()) window.webContents.reload()
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
