import type { BrowserWindow } from 'electron'

import { paneNames } from '../../ipc/review-window.ts'
import type { PaneName, PageArea } from '../../ipc/review-window.ts'
import type { Stage } from './calls.ts'
import type { PageView } from './quarantine.ts'
import { createScrollSync } from './scroll-sync.ts'

/** A narrow view zooms out, so that the page keeps the chosen layout width. */
const zoomFor = ({ width, viewportWidth }: PageArea): number => Math.min(1, Math.max(0.25, width / viewportWidth))

/** Positions the stored pages of a review window in its frame, each with its own zoom. */
export function createStage(window: BrowserWindow, panes: Readonly<Record<PaneName, PageView>>): Stage {
  const { webContents } = window
  const scroll = createScrollSync(paneNames.map((pane) => panes[pane].view.webContents))
  const zooms = new Map<PaneName, number>()
  const zoom = (pane: PaneName): void => panes[pane].view.webContents.setZoomFactor(zooms.get(pane) ?? 1)
  for (const pane of paneNames) {
    const contents = panes[pane].view.webContents
    // Chromium stores the zoom per origin, and each loaded page has a new origin.
    contents.on('did-navigate', () => zoom(pane))
    contents.on('did-finish-load', () => zoom(pane))
  }

  return {
    show: (pane, page, hasImages) => panes[pane].show(page, hasImages),
    place(places) {
      // The frame may be zoomed, which scales its pixels; the pages follow.
      const scale = webContents.getZoomFactor()
      for (const pane of paneNames) {
        const { view } = panes[pane]
        const place = places[pane]
        // Removes a hidden view from the window, so that it cannot cover the frame.
        if (place === null) {
          // A hidden view must not keep the focus.
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
      // A hidden page, for example during a text comparison, must not get the focus.
      if (window.contentView.children.includes(view)) view.webContents.focus()
    },
    close: () => window.close(),
    setTitle: (title) => window.setTitle(`${title} · Galley`),
  }
}
