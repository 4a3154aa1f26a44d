import { BrowserWindow, WebContentsView } from 'electron'
import type { Session, WebContents } from 'electron'
import { z } from 'zod'

import { reviewScheme } from '../../use-cases/review/review-scheme.ts'
import type { PageEnd } from '../../../contract/ipc/review-window.ts'
import { thumbnailSize } from '../../../contract/ipc/thumbnail-url.ts'
import { isolatedSession } from '../../platform/electron/isolated-session.ts'
import { strictPage } from '../../platform/electron/strict-page.ts'
import { withTimeLimit } from '../../platform/timing/with-time-limit.ts'
import type { BlobPorts, OnLostFile } from '../../use-cases/review/page-answers.ts'
import { answerFor } from '../../use-cases/review/page-answers.ts'
import { limitPage, processBytes } from './page-limits.ts'
import { createPageLoading } from './page-loading.ts'
import type { VersionPage } from '../../use-cases/review/version-pages.ts'

/** The preferences for pages that are not trusted: no scripts, no preload, no Node, sandboxed. */
export const pagePreferences = {
  ...strictPage,
  javascript: false,
  webgl: false,
  plugins: false,
  navigateOnDragDrop: false,
  disableDialogs: true,
  devTools: false,
  autoplayPolicy: 'document-user-activation-required',
} as const

/** The viewport for thumbnails, like that of a typical desktop window. */
const thumbnailViewport = { width: 1280, height: 800 }
const pictureWithinMs = 15_000

/** Chromium's response to a screenshot request. */
const screenshot = z.object({ data: z.string() })

/** A session for one stored page at a time. */
interface Cell {
  readonly session: Session
  hold(page: VersionPage | null, hasImages: boolean): void
  /** Sets the listener for files that cannot be read. */
  tell(onLostFile: OnLostFile): void
}

/** A page in a window of Galley. */
export interface PageView {
  readonly view: WebContentsView
  /** Loads a page, with or without its media; null empties the view. Resolves to false if it could not be loaded. */
  show(page: VersionPage | null, hasImages: boolean): Promise<boolean>
  onLostFile(listener: OnLostFile): void
  /** Sets the listener for the end of the page's process while the view is open. */
  onEnd(listener: (why: PageEnd) => void): void
  close(): void
}

/**
 * Shows untrusted stored pages in isolation: every session is in memory, serves only the files of its page and refuses all
 * other requests. Navigation and new windows are refused for the whole app (`refuseToLeave` in window.ts).
 */
export function createQuarantine(ports: BlobPorts) {
  // Electron never frees sessions, so those of closed windows are reused.
  const free: Cell[] = []

  async function enter(): Promise<Cell> {
    const emptied = free.pop()
    if (emptied) return emptied
    // A name of its own: the sessions of a library that was open before still have their handlers.
    return openCell(`review-${crypto.randomUUID()}`, ports)
  }

  function leave(cell: Cell): void {
    cell.hold(null, true)
    cell.tell(() => undefined)
    free.push(cell)
  }

  return {
    async pageView(): Promise<PageView> {
      const cell = await enter()
      return viewOf(cell, () => leave(cell))
    },

    /** The top of a page as a PNG of `thumbnailSize`, rendered without a window; null if that fails. */
    async picture(page: VersionPage): Promise<Uint8Array | null> {
      const cell = await enter()
      try {
        return await pictureOf(cell, page)
      } finally {
        leave(cell)
      }
    },
  }
}

export type Quarantine = ReturnType<typeof createQuarantine>

/** A session that serves only the files of its page and refuses all other requests. */
async function openCell(name: string, ports: BlobPorts): Promise<Cell> {
  const own = await isolatedSession(name)
  let held: VersionPage | null = null
  let hasImages = true
  let onLostFile: OnLostFile = () => undefined
  const isOwn = (url: string): boolean => held !== null && url.startsWith(`${held.origin}/`)
  own.protocol.handle(reviewScheme, (request) => answerFor(held, request, ports, (name) => onLostFile(name)))
  own.webRequest.onBeforeRequest(({ url, resourceType }, done) => {
    const isImage = resourceType === 'image' || resourceType === 'media'
    const isInline = url.startsWith('data:') && (resourceType === 'image' || resourceType === 'font')
    done({ cancel: (isImage && !hasImages) || (!isOwn(url) && !isInline) })
  })
  return {
    session: own,
    hold(page, withImages) {
      held = page
      hasImages = withImages
    },
    tell(listener) {
      onLostFile = listener
    },
  }
}

/** A view of the page in a cell. */
function viewOf(cell: Cell, leave: () => void): PageView {
  const view = new WebContentsView({ webPreferences: { ...pagePreferences, session: cell.session } })
  const contents = view.webContents
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  const load = createPageLoading(contents)
  let onEnd = (_why: PageEnd): void => undefined
  limitPage(contents, processBytes, (why) => onEnd(why))
  return {
    view,
    show(page, hasImages) {
      // Another window may use the cell now, so a late page must not replace its content.
      if (contents.isDestroyed()) return Promise.resolve(false)
      cell.hold(page, hasImages)
      return load(page?.url ?? null)
    },
    onLostFile: cell.tell,
    onEnd(listener) {
      onEnd = listener
    },
    close() {
      if (!contents.isDestroyed()) contents.close()
      leave()
    },
  }
}

/** A screenshot of the top of a page, rendered offscreen. */
async function pictureOf(cell: Cell, page: VersionPage): Promise<Uint8Array | null> {
  const window = new BrowserWindow({
    ...thumbnailViewport,
    useContentSize: true,
    show: false,
    webPreferences: { ...pagePreferences, session: cell.session, offscreen: true },
  })
  // Stops waiting for a page whose process was ended.
  const ended = new Promise<null>((resolve) => limitPage(window.webContents, processBytes, () => resolve(null)))
  try {
    return await withTimeLimit(pictureWithinMs, Promise.race([draw(window.webContents, cell, page), ended]), null)
  } finally {
    window.destroy()
  }
}

async function draw(webContents: WebContents, cell: Cell, page: VersionPage): Promise<Uint8Array | null> {
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  cell.hold(page, true)
  try {
    await webContents.loadURL(page.url)
  } catch {
    // The process died, or the window was closed in the meantime.
    return null
  }
  await webContents.insertCSS('html { scrollbar-width: none !important }', { cssOrigin: 'user' })
  // Waits for the page's own frame. The first frames of the window may still be empty.
  webContents.debugger.attach()
  const taken: unknown = await webContents.debugger.sendCommand('Page.captureScreenshot', {
    format: 'png',
    clip: { x: 0, y: 0, ...thumbnailViewport, scale: thumbnailSize.width / thumbnailViewport.width },
  })
  const { data } = screenshot.parse(taken)
  return Buffer.from(data, 'base64')
}
