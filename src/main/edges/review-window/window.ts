import { BrowserWindow, nativeTheme } from 'electron'
import type { Input, IpcMainInvokeEvent } from 'electron'

import type { KeyPress } from '../../../contract/domain/key-press.ts'
import { isKeyOfPage, paneNames, reviewInputs } from '../../../contract/ipc/review-window.ts'
import type { PaneName, PagePlace, ReviewCalls, ReviewEvents } from '../../../contract/ipc/review-window.ts'
import type { VersionRef } from '../../../contract/ipc/thumbnail-url.ts'
import { createPush, serve } from '../../platform/electron/serve.ts'
import { strictPage } from '../../platform/electron/strict-page.ts'
import type { ReviewPorts } from './calls.ts'
import { reviewHandlers } from './calls.ts'
import type { PageView, Quarantine } from './quarantine.ts'
import { createScrollSync } from './scroll-sync.ts'
import { zoomLevelFor } from './zoom-keys.ts'

export interface ReviewWindowOptions extends ReviewPorts {
  readonly quarantine: Quarantine
  /** The address of the frame, the script that gives it its calls, and who may make them. */
  readonly page: string
  readonly preload: string
  readonly isTrusted: (event: IpcMainInvokeEvent) => boolean
  /** Looks after the frame's own page. */
  readonly watch: (window: BrowserWindow) => void
  readonly log: (line: string) => void
}

const pressedIn = ({ key, code, control, alt, meta, shift }: Input): KeyPress => ({
  key,
  code,
  ctrlKey: control,
  metaKey: meta,
  altKey: alt,
  shiftKey: shift,
})

/** Narrow views show a smaller picture of the page, so that it still lays itself out for the width that was chosen. */
const zoomFor = ({ width, viewportWidth }: PagePlace): number => Math.min(1, Math.max(0.25, width / viewportWidth))

/**
 * Opens a window on a version: its frame is a page of ours, with calls of its own that only this window has; the stored
 * pages lie above it as views that know nothing of it.
 */
export async function openReviewWindow(
  options: ReviewWindowOptions,
  opened: VersionRef & { readonly compareWith: string | null },
): Promise<void> {
  const { quarantine, page, preload, isTrusted, watch, log } = options
  const [left, right] = [await quarantine.pageView(), await quarantine.pageView()]
  const panes: Readonly<Record<PaneName, PageView>> = { left, right }
  const window = new BrowserWindow({
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
      devTools: false,
    },
  })
  // The menu is that of the other window: its commands go there.
  window.removeMenu()
  watch(window)
  const { webContents } = window
  const push = createPush<ReviewEvents>(() => [webContents])
  const scroll = createScrollSync(paneNames.map((pane) => panes[pane].view.webContents))

  const zooms = new Map<PaneName, number>()
  const zoom = (pane: PaneName): void => panes[pane].view.webContents.setZoomFactor(zooms.get(pane) ?? 1)

  /** What is zoomed is the frame, which has its pages grow along. */
  const zoomsFrame = (pressed: KeyPress): boolean => {
    const level = zoomLevelFor(pressed, webContents.getZoomLevel())
    if (level !== null) webContents.setZoomLevel(level)
    return level !== null
  }
  webContents.on('before-input-event', (event, input) => {
    if (input.type === 'keyDown' && zoomsFrame(pressedIn(input))) event.preventDefault()
  })

  for (const pane of paneNames) {
    const { view } = panes[pane]
    // Chromium keeps a zoom for each origin, and every page that is brought up has one of its own.
    view.webContents.on('did-navigate', () => zoom(pane))
    view.webContents.on('did-finish-load', () => zoom(pane))
    // Stored pages are meant for white paper, in every theme.
    view.setBackgroundColor('#ffffff')
    view.webContents.on('before-input-event', (event, input) => {
      const pressed = pressedIn(input)
      if (input.type !== 'keyDown' || isKeyOfPage(pressed)) return
      event.preventDefault()
      if (zoomsFrame(pressed)) return
      if (pressed.key === 'F6') webContents.focus()
      push('keyPressed', { ...pressed, pane })
    })
    panes[pane].onLostFile((name) => push('fileLost', { pane, name }))
    panes[pane].onEnd((why) => push('pageDied', { pane, why }))
  }
  // The window is named here, as soon as it is read what it is about.
  window.on('page-title-updated', (event) => event.preventDefault())
  window.on('closed', () => {
    for (const pane of paneNames) panes[pane].close()
  })

  const handlers = reviewHandlers(options, opened, {
    show: (pane, page, hasImages) => panes[pane].show(page, hasImages),
    place(places) {
      // The frame may be zoomed, and with it the pixels that it counts in; its pages grow along.
      const scale = webContents.getZoomFactor()
      for (const pane of paneNames) {
        const { view } = panes[pane]
        const place = places[pane]
        // A view that is not in the window cannot lie above the frame.
        if (place === null) {
          // What is not shown must not keep the keyboard.
          if (view.webContents.isFocused()) webContents.focus()
          window.contentView.removeChildView(view)
          continue
        }
        window.contentView.addChildView(view)
        const scaled = (px: number): number => Math.round(px * scale)
        const { x, y, width, height } = place
        view.setBounds({ x: scaled(x), y: scaled(y), width: scaled(width), height: scaled(height) })
        zooms.set(pane, zoomFor(place) * scale)
        zoom(pane)
      }
    },
    syncScroll: scroll.turn,
    focus(pane) {
      const { view } = panes[pane]
      // A page that is not shown, as beside compared texts, would keep the keyboard where nobody sees it.
      if (window.contentView.children.includes(view)) view.webContents.focus()
    },
    close: () => window.close(),
    setTitle: (title) => window.setTitle(`${title} · Galley`),
  })
  serve<ReviewCalls>({
    ipcMain: webContents.ipc,
    inputs: reviewInputs,
    isTrusted,
    log,
    handlers: () => handlers,
  })
  window.once('ready-to-show', () => window.show())
  await webContents.loadURL(page)
}
