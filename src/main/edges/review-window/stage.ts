import type { BrowserWindow } from 'electron'

import { paneNames } from '../../../contract/ipc/review-window.ts'
import type { PaneName, PagePlace } from '../../../contract/ipc/review-window.ts'
import type { Stage } from './calls.ts'
import type { PageView } from './quarantine.ts'
import { createScrollSync } from './scroll-sync.ts'

/** Narrow views show a smaller picture of the page, so that it still lays itself out for the width that was chosen. */
const zoomFor = ({ width, viewportWidth }: PagePlace): number => Math.min(1, Math.max(0.25, width / viewportWidth))

/** Puts the stored pages of a review window where its frame has room for them, each with its own zoom. */
export function createStage(window: BrowserWindow, panes: Readonly<Record<PaneName, PageView>>): Stage {
  const { webContents } = window
  const scroll = createScrollSync(paneNames.map((pane) => panes[pane].view.webContents))
  const zooms = new Map<PaneName, number>()
  const zoom = (pane: PaneName): void => panes[pane].view.webContents.setZoomFactor(zooms.get(pane) ?? 1)
  for (const pane of paneNames) {
    const contents = panes[pane].view.webContents
    // Chromium keeps a zoom for each origin, and every page that is brought up has one of its own.
    contents.on('did-navigate', () => zoom(pane))
    contents.on('did-finish-load', () => zoom(pane))
  }

  return {
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
  }
}
