import type { BrowserWindow, WebContents } from 'electron'

import type { DeskArea, DeskSide } from '../../ipc/desk.ts'
import type { LoadedPage } from './desk-pages.ts'
import type { PageView } from './quarantine.ts'

/** The views of the desk in the window: those that are loaded for later below the shown ones, all at one place. */
export function createDeskViews(window: BrowserWindow) {
  const zoom = createZoom()
  let place: DeskArea | null = null
  /** The width of the layout, in pixels of the page; null: that of its place. */
  let layout: number | null = null
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
    const room = isBeside ? half : width
    const wide = Math.min(room, layout ?? room)
    // Where there is less room, the page is smaller, not its layout.
    zoom(view.webContents, layout === null ? scale : (wide / layout) * scale)
    const at = left + Math.floor((room - wide) / 2)
    return { x: scaled(at), y: scaled(y), width: scaled(wide), height: scaled(height) }
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
        page.view.setVisible(true)
        page.view.setBounds(boundsOf(page.view, place))
      }
    }
  }

  return {
    /** Puts a view into the window, unseen, before its page is loaded: Chromium forgets masks of other files that are loaded outside one. */
    prepare({ view }: PageView): void {
      if (window.isDestroyed()) return
      view.setVisible(false)
      window.contentView.addChildView(view, 0)
      if (place !== null) view.setBounds(boundsOf(view, place))
    },
    /** Takes a view that is closed next out of the window. */
    release(page: PageView): void {
      below = below.filter((each) => !viewsOf(each).includes(page))
      remove(page)
    },
    shown: () => shown,
    /** The number of this showing: the same page may be shown again. */
    showing: () => showing,
    side: () => side,
    isPlaced: () => place !== null,
    /** The views of the shown page, from the lowest to the one on top. */
    shownViews: (): readonly PageView[] => (shown === null ? [] : viewsOf(shown)),
    place(next: DeskArea | null, width: number | null): void {
      place = next
      layout = width
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

/** Scales pages, also those that are loaded next. */
function createZoom(): (contents: WebContents, factor: number) => void {
  const zooms = new WeakMap<WebContents, number>()
  return (contents, factor) => {
    // Chromium stores the zoom per origin, and each loaded page has a new origin.
    if (!zooms.has(contents))
      for (const loaded of ['did-navigate', 'did-finish-load'] as const)
        contents.on(loaded as 'did-finish-load', () => contents.setZoomFactor(zooms.get(contents) ?? 1))
    zooms.set(contents, Math.max(0.25, factor))
    contents.setZoomFactor(Math.max(0.25, factor))
  }
}

export type DeskViews = ReturnType<typeof createDeskViews>
