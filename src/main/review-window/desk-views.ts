import type { BrowserWindow } from 'electron'

import type { DeskArea, DeskSide } from '../../ipc/desk.ts'
import type { LoadedPage } from './desk-pages.ts'
import type { PageView } from './quarantine.ts'

/** The views of the desk in the window: those that are loaded for later below the shown ones, all at one place. */
export function createDeskViews(window: BrowserWindow) {
  let place: DeskArea | null = null
  let side: DeskSide = 'now'
  let shown: LoadedPage | null = null
  let below: readonly LoadedPage[] = []
  /** Counts how often a page was shown. */
  let showing = 0

  /** From the lowest to the one on top. */
  const viewsOf = ({ now, before }: LoadedPage): readonly PageView[] =>
    before === null ? [now] : side === 'now' ? [before, now] : [now, before]

  function boundsOf(view: PageView['view'], { x, y, width, height }: DeskArea) {
    // The window may be zoomed, which scales its pixels; the pages follow.
    const scale = window.webContents.getZoomFactor()
    const scaled = (px: number): number => Math.round(px * scale)
    const isBeside = side === 'both' && shown !== null && shown.before !== null
    const half = Math.floor(width / 2)
    const left = isBeside && view === shown?.now.view ? x + half + 1 : x
    const wide = isBeside ? half : width
    return { x: scaled(left), y: scaled(y), width: scaled(wide), height: scaled(height) }
  }

  function remove({ view }: PageView): void {
    if (window.isDestroyed()) return
    // A hidden view must not keep the focus.
    if (view.webContents.isFocused()) window.webContents.focus()
    window.contentView.removeChildView(view)
  }

  function put(): void {
    if (window.isDestroyed()) return
    for (const page of [...below, ...(shown === null ? [] : [shown])].flatMap(viewsOf)) {
      if (place === null) remove(page)
      else {
        window.contentView.addChildView(page.view)
        page.view.setBounds(boundsOf(page.view, place))
      }
    }
  }

  return {
    remove,
    shown: () => shown,
    /** The number of this showing: the same page may be shown again. */
    showing: () => showing,
    side: () => side,
    isPlaced: () => place !== null,
    /** The views of the shown page, from the lowest to the one on top. */
    shownViews: (): readonly PageView[] => (shown === null ? [] : viewsOf(shown)),
    place(next: DeskArea | null): void {
      place = next
      put()
    },
    show(page: LoadedPage | null): void {
      shown = page
      showing += 1
      below = []
      side = 'now'
      put()
    },
    showSide(next: DeskSide): void {
      side = next
      put()
    },
    /** Gives a page its size before it is asked for. */
    putBelow(page: LoadedPage): void {
      below = [...below, page]
      put()
    },
    forget(pair: LoadedPage['pair']): void {
      below = below.filter((page) => page.pair !== pair)
      if (shown?.pair === pair) shown = null
    },
  }
}

export type DeskViews = ReturnType<typeof createDeskViews>
