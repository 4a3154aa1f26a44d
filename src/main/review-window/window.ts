import type { KeyPress } from '@galley/look'
import { BrowserWindow, nativeTheme } from 'electron'
import type { IpcMainInvokeEvent } from 'electron'

import { isKeyOfPage, paneNames, reviewCalls } from '../../ipc/review-window.ts'
import type { PaneName, ReviewEvents } from '../../ipc/review-window.ts'
import { keyPressOf } from '../electron/key-press.ts'
import { createPush, serve } from '../electron/serve.ts'
import { strictPage } from '../electron/strict-page.ts'
import type { Opened, ReviewPorts } from './calls.ts'
import { reviewHandlers } from './calls.ts'
import type { PageView, Quarantine } from './quarantine.ts'
import { createStage } from './stage.ts'
import { zoomLevelFor } from './zoom-keys.ts'

export interface ReviewWindowOptions extends ReviewPorts {
  readonly quarantine: Quarantine
  /** The URL of the frame, its preload script, and the check of callers. */
  readonly page: string
  readonly preload: string
  readonly isTrusted: (event: IpcMainInvokeEvent) => boolean
  /** Monitors the frame's own page. */
  readonly watch: (window: BrowserWindow) => void
  readonly log: (line: string) => void
  /** Whether the frame has developer tools. Stored pages never have: their views are made by the quarantine. */
  readonly devTools: boolean
}

/**
 * Opens a window for a version. Its frame is a page of Galley with calls that only this window has. The stored pages are
 * views above it, without access to the frame.
 */
export async function openReviewWindow(options: ReviewWindowOptions, opened: Opened): Promise<BrowserWindow> {
  const { quarantine, page, preload, isTrusted, watch, log, devTools } = options
  const [left, right] = [await quarantine.pageView(), await quarantine.pageView()]
  const panes: Readonly<Record<PaneName, PageView>> = { left, right }
  const window = reviewWindow(preload, devTools)
  // The menu belongs to the main window, and so do its commands.
  window.removeMenu()
  watch(window)
  const { webContents } = window
  const push = createPush<ReviewEvents>(() => [webContents])

  /** Zooms the frame; its pages follow. */
  const zoomsFrame = (pressed: KeyPress): boolean => {
    const level = zoomLevelFor(pressed, webContents.getZoomLevel())
    if (level !== null) webContents.setZoomLevel(level)
    return level !== null
  }
  webContents.on('before-input-event', (event, input) => {
    if (input.type === 'keyDown' && zoomsFrame(keyPressOf(input))) event.preventDefault()
  })

  for (const pane of paneNames) {
    const { view } = panes[pane]
    // Stored pages expect a white background, in every theme.
    view.setBackgroundColor('#ffffff')
    view.webContents.on('before-input-event', (event, input) => {
      const pressed = keyPressOf(input)
      if (input.type !== 'keyDown' || isKeyOfPage(pressed)) return
      event.preventDefault()
      if (zoomsFrame(pressed)) return
      if (pressed.key === 'F6') webContents.focus()
      push('keyPressed', { ...pressed, pane })
    })
    panes[pane].onLostFile((name) => push('fileLost', { pane, name }))
    panes[pane].onEnd((why) => push('pageDied', { pane, why }))
  }
  // The title is set here, before the page loads.
  window.on('page-title-updated', (event) => event.preventDefault())
  window.on('closed', () => {
    for (const pane of paneNames) panes[pane].close()
  })

  const handlers = reviewHandlers(options, opened, createStage(window, panes))
  serve({
    ipcMain: webContents.ipc,
    served: { calls: reviewCalls, handlers: () => handlers },
    isTrusted,
    log,
  })
  window.once('ready-to-show', () => {
    window.show()
    if (devTools) webContents.openDevTools({ mode: 'detach' })
  })
  // Rejects if the window is closed before the page has loaded; `watch` handles a page that dies.
  await webContents.loadURL(page).catch(() => undefined)
  return window
}

function reviewWindow(preload: string, devTools: boolean): BrowserWindow {
  return new BrowserWindow({
    title: 'Galley',
    width: 1360,
    height: 900,
    minWidth: 760,
    minHeight: 520,
    show: false,
    // The colours of --bg in src/look/look.css, so that the first frame does not flash.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
    webPreferences: {
      ...strictPage,
      preload,
      devTools,
    },
  })
}
