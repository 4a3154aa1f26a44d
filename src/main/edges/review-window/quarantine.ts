import { app, BrowserWindow, session, WebContentsView } from 'electron'
import type { Session, WebContents } from 'electron'
import { z } from 'zod'

import { reviewScheme } from '../../../contract/ipc/review-scheme.ts'
import type { PageEnd } from '../../../contract/ipc/review-window.ts'
import { thumbnailSize } from '../../../contract/ipc/thumbnail-url.ts'
import { strictPage } from '../../platform/electron/strict-page.ts'
import { within } from '../../platform/timing/within.ts'
import type { BlobPorts, OnLostFile } from '../../use-cases/review/page-answers.ts'
import { answerFor } from '../../use-cases/review/page-answers.ts'
import { limitPage } from './page-limits.ts'
import { createPageLoading } from './page-loading.ts'
import type { VersionPage } from '../../use-cases/review/version-pages.ts'

/** What every stored page is shown with: no script, no preload, nothing of Node, in a sandboxed process. */
const pagePreferences = {
  ...strictPage,
  javascript: false,
  webgl: false,
  plugins: false,
  navigateOnDragDrop: false,
  disableDialogs: true,
  devTools: false,
  autoplayPolicy: 'document-user-activation-required',
} as const

/** A port that nothing listens on: should a request get past everything else, it ends here. */
const deadEnd = { mode: 'fixed_servers', proxyRules: '127.0.0.1:9', proxyBypassRules: '<-loopback>' } as const

/** An error of a certificate, to Chromium: none is ever good here. */
const refuseCertificate = -2

/** What a process of this app takes of the memory now. */
const processBytes = (processId: number): number =>
  1024 * (app.getAppMetrics().find(({ pid }) => pid === processId)?.memory.workingSetSize ?? 0)

/** The width and height of a page whose picture is taken, as of a usual desktop window. */
const picturedViewport = { width: 1280, height: 800 }
const pictureWithinMs = 15_000

/** What Chromium answers when it is asked for a picture. */
const screenshot = z.object({ data: z.string() })

/** One place for one stored page at a time, with a session of its own. */
interface Cell {
  readonly session: Session
  hold(page: VersionPage | null, hasImages: boolean): void
  /** Who hears of files that cannot be read; nobody until it is called. */
  tell(onLostFile: OnLostFile): void
}

/** A page in a window of ours. */
export interface PageView {
  readonly view: WebContentsView
  /** Brings a page up, with or without its pictures and films; null empties the view. False when it could not be loaded. */
  show(page: VersionPage | null, hasImages: boolean): Promise<boolean>
  onLostFile(listener: OnLostFile): void
  /** Tells when the process of the page ended, for as long as the view is open. */
  onEnd(listener: (why: PageEnd) => void): void
  close(): void
}

/**
 * Shows stored pages, which are strangers, where they can reach nothing: every session is in memory, serves the files of
 * the one page it holds and refuses all else. Navigation and new windows are refused for all contents of the app
 * (`refuseToLeave` in window.ts).
 */
export function createQuarantine(ports: BlobPorts) {
  // Electron keeps a session for as long as the app lives, so those of closed windows are used again.
  const free: Cell[] = []
  let made = 0

  async function enter(): Promise<Cell> {
    const emptied = free.pop()
    if (emptied) return emptied
    made += 1
    return openCell(`review-${made}`, ports)
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

    /** The top of a page as a PNG of `thumbnailSize`, drawn without a window; null when it cannot be drawn. */
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

/** A session of its own that serves the files of the one page it holds and refuses all else. */
async function openCell(name: string, ports: BlobPorts): Promise<Cell> {
  // Without `persist:` before its name a session never touches the disk.
  const own = session.fromPartition(name, { cache: false })
  let held: VersionPage | null = null
  let hasImages = true
  let onLostFile: OnLostFile = () => undefined
  const isOwn = (url: string): boolean => held !== null && url.startsWith(`${held.origin}/`)
  own.protocol.handle(reviewScheme, (request) => answerFor(held, request, ports, (name) => onLostFile(name)))
  own.protocol.handle('file', () => new Response(null, { status: 403 }))
  own.webRequest.onBeforeRequest(({ url, resourceType }, done) => {
    const isImage = resourceType === 'image' || resourceType === 'media'
    const isInline = url.startsWith('data:') && (resourceType === 'image' || resourceType === 'font')
    done({ cancel: (isImage && !hasImages) || (!isOwn(url) && !isInline) })
  })
  own.setPermissionRequestHandler((_contents, _permission, done) => done(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.setCertificateVerifyProc((_request, done) => done(refuseCertificate))
  own.on('will-download', (event) => event.preventDefault())
  own.setSpellCheckerEnabled(false)
  await own.setProxy(deadEnd)
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

/** A view of the page that a cell holds. */
function viewOf(cell: Cell, leave: () => void): PageView {
  const view = new WebContentsView({ webPreferences: { ...pagePreferences, session: cell.session } })
  const contents = view.webContents
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  const load = createPageLoading(contents)
  return {
    view,
    show(page, hasImages) {
      // The cell may be another window's by now: a page that became ready too late must not take its place.
      if (contents.isDestroyed()) return Promise.resolve(false)
      cell.hold(page, hasImages)
      return load(page?.url ?? null)
    },
    onLostFile: cell.tell,
    onEnd: (listener) => limitPage(contents, processBytes, listener),
    close() {
      if (!contents.isDestroyed()) contents.close()
      leave()
    },
  }
}

/** A picture of the top of a page, which is drawn off the screen. */
async function pictureOf(cell: Cell, page: VersionPage): Promise<Uint8Array | null> {
  const window = new BrowserWindow({
    ...picturedViewport,
    useContentSize: true,
    show: false,
    webPreferences: { ...pagePreferences, session: cell.session, offscreen: true },
  })
  // What waits for a page that was ended would wait to the end of its time.
  const ended = new Promise<null>((resolve) => limitPage(window.webContents, processBytes, () => resolve(null)))
  try {
    return await within(pictureWithinMs, Promise.race([draw(window.webContents, cell, page), ended]), null)
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
    // Its process died, or it came too late and the window is gone.
    return null
  }
  await webContents.insertCSS('html { scrollbar-width: none !important }', { cssOrigin: 'user' })
  // Unlike the frames of the window, of which the first ones may still be empty, this waits for the page's own.
  webContents.debugger.attach()
  const taken: unknown = await webContents.debugger.sendCommand('Page.captureScreenshot', {
    format: 'png',
    clip: { x: 0, y: 0, ...picturedViewport, scale: thumbnailSize.width / picturedViewport.width },
  })
  const { data } = screenshot.parse(taken)
  return Buffer.from(data, 'base64')
}
