import type { ChangeFeed, IndexReads, Reviewing, Vault } from '@galley/library'
import { createCheckedFiles } from '@galley/library'
import type { Answer } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { ExportJobs } from '@galley/sites'
import type { MaterialId, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { deskCalls, DeskEvents } from '../../ipc/desk.ts'
import type { PageFault } from '../../ipc/diagnostics.ts'
import type { filmCalls } from '../../ipc/media.ts'
import type { OpenedReview, ReviewCalls } from '../../ipc/review.ts'
import { reviewCallsFor, reviewPage } from '../../ipc/review.ts'
import type { ShellEvents } from '../../ipc/shell.ts'
import { createPush, serve } from '../electron/serve.ts'
import { createComparisons } from '../review/comparisons.ts'
import { createIgnored } from '../review/ignored.ts'
import type { ReviewJobs } from '../review/jobs.ts'
import { createLooking } from '../review/looking.ts'
import { createPagePictures } from '../review/page-pictures.ts'
import { renderInTheme } from '../review/render-in-theme.ts'
import { thumbnailAnswers } from '../review/thumbnail-answers.ts'
import { createThumbnails } from '../review/thumbnails.ts'
import type { VersionFiles } from '../review/version-files.ts'
import { createVersionPages } from '../review/version-pages.ts'
import { createWholePages } from '../review/whole-pages.ts'
import { comparisonHandlers } from './desk-comparisons.ts'
import { createDesk } from './desk.ts'
import { createFilms } from './films.ts'
import { createQuarantine } from './quarantine.ts'
import { versionSaver } from './save-version.ts'
import type { ChooseVersionFile } from './save-version.ts'
import { shrinkPage } from './shrink-page.ts'
import { createReviewWindow, keysOfMenu } from './window.ts'

export interface ReviewEdges {
  readonly index: IndexReads
  readonly vault: Vault
  readonly reviewing: Reviewing
  readonly changes: Pick<ChangeFeed, 'watch'>
  readonly background: Background<ReviewJobs & Pick<ExportJobs, 'pageInTheme'>>
  /** Has a folder for each theme of Galley. */
  readonly themesFolder: string
  readonly folder: string
  readonly now: () => Date
  /** The main window, which has a desk too. */
  readonly window: BrowserWindow
  /** Resolves when no work is running that thumbnails would slow down. */
  readonly whenIdle: () => Promise<void>
  /** The page of the main window, which review windows show with what they open, and its preload script. */
  readonly frame: {
    readonly page: string
    readonly preload: string
    /** Checks callers: only a window with exactly this page. */
    readonly isTrusted: (page: string) => (event: IpcMainInvokeEvent) => boolean
    /** Whether it has developer tools. */
    readonly devTools: boolean
    /** Monitors the page of a window. */
    readonly watch: (window: BrowserWindow) => void
  }
  /** Answers the calls of review windows that are not about their own desk. */
  readonly answers: () => Omit<HandlersOf<ReviewCalls>, keyof typeof deskCalls | keyof typeof filmCalls | 'reportFault'>
  /** Focuses the main window on its Delivery screen. */
  readonly showHealth: () => void
  /** Focuses the main window and opens a material in the editor. */
  readonly openInEditor: (site: SiteId, materialId: MaterialId) => void
  /** Focuses the main window and exports a version there. */
  readonly exportVersion: (version: ShellEvents['exportVersion']) => void
  /** Makes copies of stored files. */
  readonly versionFiles: VersionFiles
  /** Asks for a file to write; null: the person cancels. */
  readonly chooseNewFile: ChooseVersionFile
  readonly log: (line: string) => void
  /** Logs an error of a review window's page. */
  readonly logFault: (fault: PageFault) => null
}

/** Sets up the review of stored versions: desks, windows and thumbnails. */
export function createReviews({ index, vault, folder, whenIdle, frame, ...edges }: ReviewEdges) {
  const pages = createVersionPages(index, vault, edges.background, renderInTheme({ ...edges, index, vault }))
  const quarantine = createQuarantine({
    blobs: index.blobs,
    locate: vault.locate,
    files: createCheckedFiles(edges.log),
  })
  const thumbnails = createThumbnails({ folder, index, pages, picture: quarantine.picture, whenIdle })
  const { capture } = quarantine
  const wholePages = createWholePages({ folder, index, pages, capture, shrink: shrinkPage })
  // If the library closes in the meantime, the next start deletes the rest.
  wholePages.trim(thumbnails.sweep()).catch(() => undefined)
  const compare = createComparisons(edges.reviewing)
  const ignored = createIgnored({ ...edges, index })
  const pictures = createPagePictures({ ...edges, index, pages, compare, ignored, wholePages, capture })
  const looking = createLooking({ ...edges, pictures, ignored, whenIdle })
  const films = createFilms({ index, quarantine })
  const thumbnailAt = thumbnailAnswers(thumbnails)
  const choose = edges.chooseNewFile
  const handlersOfAll = {
    ...comparisonHandlers({ ...edges, index, pages }),
    ...ignored.handlers,
    ...films.handlers,
    saveVersion: versionSaver({ ...edges, index, folder, pages, wholePages, quarantine, choose }),
    ...mainWindowHandlers(edges),
  }
  /** A desk of this window, which no other one reaches. */
  function deskIn(window: BrowserWindow, keep: Parameters<typeof createDesk>[0]['keep']) {
    const { webContents } = window
    const push = createPush<DeskEvents>(() => [webContents])
    const desk = createDesk({ pages, quarantine, compare, pictures, window, push, keep })
    return { handlers: { ...desk.handlers, ...handlersOfAll }, stop: desk.stop }
  }
  const desk = deskIn(edges.window, () => false)
  const windows = new Set<BrowserWindow>()
  let isStopped = false

  async function openWindow(opened: OpenedReview): Promise<void> {
    const window = createReviewWindow(frame)
    windows.add(window)
    window.once('closed', () => windows.delete(window))
    frame.watch(window)
    const page = reviewPage(frame.page, opened)
    const own = deskIn(window, keysOfMenu(window))
    serve({
      ipcMain: window.webContents.ipc,
      served: {
        calls: reviewCallsFor(opened),
        handlers: () => ({ ...edges.answers(), ...own.handlers, reportFault: edges.logFault }),
      },
      isTrusted: frame.isTrusted(page),
      log: edges.log,
    })
    // Rejects if the window is closed before the page has loaded; `watch` handles a page that dies.
    await window.webContents.loadURL(page).catch(() => undefined)
  }

  return {
    async open(opened: OpenedReview): Promise<Answer<null>> {
      if (index.versions.parts(opened.site, opened.materialId, opened.versionId) === null)
        return fail({ code: 'unknown_version' })
      if (!isStopped) await openWindow(opened)
      return ok(null)
    },
    deskHandlers: desk.handlers,
    pictureAt: (url: string, method: string) =>
      thumbnailAt(url, method) ?? pictures.answer(url, method) ?? films.answer(url, method),
    /** Call it before the library is closed: the windows could no longer read it. */
    stop(): void {
      isStopped = true
      thumbnails.stop()
      looking.stop()
      pictures.stop()
      desk.stop()
      for (const window of windows) window.close()
    },
  }
}

/** Calls that go on in the main window. */
const mainWindowHandlers = (edges: Pick<ReviewEdges, 'showHealth' | 'openInEditor' | 'exportVersion'>) => ({
  showHealth() {
    edges.showHealth()
    return null
  },
  openInEditor({ site, materialId }: ShellEvents['edit']) {
    edges.openInEditor(site, materialId)
    return null
  },
  exportVersion(version: ShellEvents['exportVersion']) {
    edges.exportVersion(version)
    return null
  },
})
