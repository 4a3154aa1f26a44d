import { withTimeLimit } from '@galley/platform'
import { BrowserWindow, WebContentsView } from 'electron'
import type { Session, WebContents } from 'electron'

import type { PageEnd } from '../../ipc/review-window.ts'
import { thumbnailSize } from '../../ipc/thumbnail-url.ts'
import { isolatedSession } from '../electron/isolated-session.ts'
import { strictPage } from '../electron/strict-page.ts'
import type { Capture } from '../review/compare-pictures.ts'
import type { BlobPorts, OnLostFile } from '../review/page-answers.ts'
import { answerFor } from '../review/page-answers.ts'
import type { WholePicture } from '../review/png.ts'
import { reviewScheme } from '../review/review-scheme.ts'
import type { VersionPage } from '../review/version-pages.ts'
import { captureIn } from './capture.ts'
import type { Take } from './page-copies.ts'
import { screenshotOf, takeWhole, toPdf } from './page-copies.ts'
import { limitPage, processBytes } from './page-limits.ts'

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
const copyWithinMs = 120_000

/** A session for one stored page at a time. */
interface PageSession {
  readonly session: Session
  setPage(page: VersionPage | null, hasImages: boolean): void
  /** Sets the listener for files that cannot be read. */
  setOnLostFile(onLostFile: OnLostFile): void
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
  const free: PageSession[] = []

  async function acquire(): Promise<PageSession> {
    const reused = free.pop()
    if (reused) return reused
    // A name of its own: the sessions of a library that was open before still have their handlers.
    return openPageSession(`review-${crypto.randomUUID()}`, ports)
  }

  function release(pageSession: PageSession): void {
    pageSession.setPage(null, true)
    pageSession.setOnLostFile(() => undefined)
    free.push(pageSession)
  }

  async function inHiddenWindow<Out>(page: VersionPage, limitMs: number, take: Take<Out>): Promise<Out | null> {
    const pageSession = await acquire()
    try {
      return await taken(pageSession, page, limitMs, take)
    } finally {
      release(pageSession)
    }
  }

  return {
    async pageView(): Promise<PageView> {
      const pageSession = await acquire()
      return viewOf(pageSession, () => release(pageSession))
    },

    /** The top of a page as a PNG of `thumbnailSize`, rendered without a window; null if that fails. */
    async picture(page: VersionPage): Promise<Uint8Array | null> {
      return inHiddenWindow(page, pictureWithinMs, takeThumbnail)
    },

    /** All of a page on paper, rendered without a window; null if that fails. */
    paper: (page: VersionPage): Promise<Uint8Array | null> => inHiddenWindow(page, copyWithinMs, toPdf),

    /** All of a page as one picture, in slices; null if that fails. */
    whole: (page: VersionPage): Promise<WholePicture | null> => inHiddenWindow(page, copyWithinMs, takeWhole),

    /** Takes something of a page, rendered without a window; null if that fails. */
    async take<Out>(page: VersionPage, take: Take<Out>): Promise<Out | null> {
      return inHiddenWindow(page, pictureWithinMs, take)
    },

    /** Loads a page in a window that nobody sees, for captures at several widths; null if that fails. */
    async capture<Out>(page: VersionPage, use: (capture: Capture) => Promise<Out | null>): Promise<Out | null> {
      return inHiddenWindow(page, copyWithinMs, async (webContents) => {
        const window = BrowserWindow.fromWebContents(webContents)
        return window === null ? null : use(await captureIn(window))
      })
    },
  }
}

export type Quarantine = ReturnType<typeof createQuarantine>

/** What a page without its images does not load. */
const shownTypes: ReadonlySet<string> = new Set(['image', 'media', 'subFrame', 'object'])
/** What a page may have in a `data:` URL. */
const inlineTypes: ReadonlySet<string> = new Set(['image', 'media', 'font', 'stylesheet'])

/** A session that serves only the files of its page and refuses all other requests. */
async function openPageSession(name: string, ports: BlobPorts): Promise<PageSession> {
  const own = await isolatedSession(name)
  let held: VersionPage | null = null
  let hasImages = true
  let onLostFile: OnLostFile = () => undefined
  const isOwn = (url: string): boolean => held !== null && url.startsWith(`${held.origin}/`)
  own.protocol.handle(reviewScheme, (request) => answerFor(held, request, ports, (name) => onLostFile(name)))
  own.webRequest.onBeforeRequest(({ url, resourceType }, done) => {
    const isImage = shownTypes.has(resourceType)
    const isInline = url.startsWith('data:') && inlineTypes.has(resourceType)
    done({ cancel: (isImage && !hasImages) || (!isOwn(url) && !isInline) })
  })
  return {
    session: own,
    setPage(page, withImages) {
      held = page
      hasImages = withImages
    },
    setOnLostFile(listener) {
      onLostFile = listener
    },
  }
}

/**
 * Loads pages into a view in sequence and reports whether each was loaded; null empties the view.
 *
 * Matches the end of a load by its URL, which is unique. The promise of `loadURL` is not reliable: if a page replaces one
 * that is still loading, it settles with whichever load ends next.
 */
function createPageLoading(contents: WebContents): (url: string | null) => Promise<boolean> {
  let awaited: { readonly url: string; readonly end: (isUp: boolean) => void } | null = null

  function end(isUp: boolean): void {
    awaited?.end(isUp)
    awaited = null
  }
  contents.on('did-navigate', (_event, url) => {
    if (url === awaited?.url) end(true)
  })
  contents.on('did-fail-provisional-load', (_event, _code, _text, url, isMainFrame) => {
    if (isMainFrame && url === awaited?.url) end(false)
  })
  contents.on('render-process-gone', () => end(false))
  contents.on('destroyed', () => end(false))

  return (url) => {
    end(false)
    const isUp = url === null ? Promise.resolve(true) : new Promise<boolean>((end) => (awaited = { url, end }))
    contents.loadURL(url ?? 'about:blank').catch(() => null)
    return isUp
  }
}

/** A view of the page in a session. */
function viewOf(pageSession: PageSession, release: () => void): PageView {
  const view = new WebContentsView({ webPreferences: { ...pagePreferences, session: pageSession.session } })
  const contents = view.webContents
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  const load = createPageLoading(contents)
  let onEnd = (_why: PageEnd): void => undefined
  limitPage(contents, processBytes, (why) => onEnd(why))
  return {
    view,
    show(page, hasImages) {
      // Another window may use the session now, so a late page must not replace its content.
      if (contents.isDestroyed()) return Promise.resolve(false)
      pageSession.setPage(page, hasImages)
      return load(page?.url ?? null)
    },
    onLostFile: pageSession.setOnLostFile,
    onEnd(listener) {
      onEnd = listener
    },
    close() {
      if (!contents.isDestroyed()) contents.close()
      release()
    },
  }
}

/** What is taken of a page that is rendered offscreen. */
async function taken<Out>(
  pageSession: PageSession,
  page: VersionPage,
  limitMs: number,
  take: Take<Out>,
): Promise<Out | null> {
  const window = new BrowserWindow({
    ...thumbnailViewport,
    useContentSize: true,
    show: false,
    webPreferences: {
      ...pagePreferences,
      session: pageSession.session,
      offscreen: true,
      imageAnimationPolicy: 'noAnimation',
    },
  })
  // Stops waiting for a page whose process was ended.
  const ended = new Promise<null>((resolve) => limitPage(window.webContents, processBytes, () => resolve(null)))
  try {
    return await withTimeLimit(limitMs, Promise.race([draw(window.webContents, pageSession, page, take), ended]), null)
  } finally {
    window.destroy()
  }
}

async function draw<Out>(
  webContents: WebContents,
  pageSession: PageSession,
  page: VersionPage,
  take: Take<Out>,
): Promise<Out | null> {
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  pageSession.setPage(page, true)
  try {
    await webContents.loadURL(page.url)
  } catch {
    // The process died, or the window was closed in the meantime.
    return null
  }
  await webContents.insertCSS('html { scrollbar-width: none !important }', { cssOrigin: 'user' })
  return take(webContents)
}

/** The top of a page. Waits for its own frame: the first ones of the window may still be empty. */
const takeThumbnail: Take = (webContents) =>
  screenshotOf(webContents, { x: 0, y: 0, ...thumbnailViewport, scale: thumbnailSize.width / thumbnailViewport.width })
