import type { BrowserWindow } from 'electron'
import type { TFunction } from 'i18next'

import type { Desktop } from '../ipc/desktop.ts'

interface Edges {
  readonly t: () => TFunction<'system'>
  readonly warn: Desktop['warn']
  readonly log: (line: string) => void
  /** True while the app quits, which ends the pages. */
  readonly isQuitting: () => boolean
}

/**
 * Asks what to do if the page of a window crashes or hangs, which the window cannot do itself. Does not ask about a hidden
 * window; its page is reloaded when it is shown.
 */
export function watchPage(window: BrowserWindow, { t, warn, log, isQuitting: isEnding }: Edges): void {
  const { webContents } = window
  let isAsking = false
  let isEndedByUs = false

  async function ask(failure: 'gone' | 'hanging', otherwise: 'close' | 'wait'): Promise<boolean> {
    isAsking = true
    const question = { message: t()(`pageFailed.${failure}.title`), detail: t()(`pageFailed.${failure}.text`) }
    const isWanted = await warn({ ...question, buttons: [t()('pageFailed.again'), t()(`pageFailed.${otherwise}`)] })
    isAsking = false
    return isWanted
  }
  const mayAsk = (): boolean => !isAsking && !isEnding() && window.isVisible()

  async function askAboutGone(): Promise<void> {
    const isWanted = await ask('gone', 'close')
    if (window.isDestroyed()) return
    if (isWanted) webContents.reload()
    else window.close()
  }
  async function askAboutHanging(): Promise<void> {
    const isWanted = await ask('hanging', 'wait')
    if (window.isDestroyed()) return
    // The page may have died while the question was open.
    if (webContents.isCrashed()) return isWanted ? webContents.reload() : askAboutGone()
    if (!isWanted) return
    // A hanging page would not react to it.
    isEndedByUs = true
    webContents.forcefullyCrashRenderer()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (!isEnding()) log(`the process of a window ended: ${reason} (${exitCode})`)
    if (isEndedByUs) webContents.reload()
    else if (mayAsk()) void askAboutGone()
    isEndedByUs = false
  })
  window.on('unresponsive', () => {
    if (mayAsk()) void askAboutHanging()
  })
}

/** Shows a window, and reloads its page if that crashed in the meantime. */
export function bringToFront(window: BrowserWindow): void {
  // The window of a notification may be closed.
  if (window.isDestroyed()) return
  if (window.webContents.isCrashed()) window.webContents.reload()
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
