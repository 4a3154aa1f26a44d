import type { ChangeFeed, Index, Reviewing, Vault } from '@galley/library'
import { createCheckedFiles } from '@galley/library'
import type { Answer, AppSettings, MaterialRef } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { MaterialId, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'

import type { InputOf } from '../../ipc/call.ts'
import type { PageFault } from '../../ipc/diagnostics.ts'
import type { reviewWindowCalls } from '../../ipc/review.ts'
import type { Push } from '../electron/serve.ts'
import { createComparisons } from '../review/comparisons.ts'
import { createIgnored } from '../review/ignored.ts'
import type { ReviewJobs } from '../review/jobs.ts'
import { createLooking } from '../review/looking.ts'
import { createPagePictures } from '../review/page-pictures.ts'
import { thumbnailAnswers } from '../review/thumbnail-answers.ts'
import { createThumbnails } from '../review/thumbnails.ts'
import { createVersionPages } from '../review/version-pages.ts'
import { createDesk } from './desk.ts'
import { createFilms } from './films.ts'
import { createQuarantine } from './quarantine.ts'
import { versionSaver } from './save-version.ts'
import type { ChooseVersionFile } from './save-version.ts'
import { openReviewWindow } from './window.ts'

export interface ReviewEdges {
  readonly index: Index
  readonly vault: Vault
  readonly reviewing: Reviewing
  readonly changes: Pick<ChangeFeed, 'watch'>
  readonly background: Background<ReviewJobs>
  readonly folder: string
  readonly now: () => Date
  /** The main window, which has the desk. */
  readonly window: BrowserWindow
  readonly push: Push
  readonly settings: () => AppSettings
  /** Resolves when no work is running that thumbnails would slow down. */
  readonly whenIdle: () => Promise<void>
  /** The page around stored pages, its preload script, and the check of callers. */
  readonly frame: {
    readonly page: string
    readonly preload: string
    readonly isTrusted: (event: IpcMainInvokeEvent) => boolean
    /** Whether it has developer tools. */
    readonly devTools: boolean
    /** Monitors the page of a window. */
    readonly watch: (window: BrowserWindow) => void
  }
  /** Focuses the main window on its Health screen. */
  readonly showHealth: () => void
  /** Focuses the main window and opens a material in the editor. */
  readonly openInEditor: (site: SiteId, materialId: MaterialId) => void
  readonly copyText: (text: string) => Promise<void>
  /** Asks for a file to write; null: the person cancels. */
  readonly chooseNewFile: ChooseVersionFile
  /** Called when a review has changed the library. */
  readonly changed: (material: MaterialRef) => void
  readonly log: (line: string) => void
  /** Logs an error of a window's frame. */
  readonly logFault: (fault: PageFault) => void
}

/** Sets up the review of stored versions: desk, windows and thumbnails. */
export function createReviews({ index, vault, folder, whenIdle, frame, ...edges }: ReviewEdges) {
  const pages = createVersionPages(index, vault, edges.background)
  const quarantine = createQuarantine({
    blobs: index.blobs,
    locate: vault.locate,
    files: createCheckedFiles(edges.log),
  })
  const thumbnails = createThumbnails({ folder, index, pages, picture: quarantine.picture, whenIdle })
  // If the library closes in the meantime, the next start deletes the rest.
  thumbnails.sweep().catch(() => undefined)
  const compare = createComparisons(edges.reviewing)
  const { capture } = quarantine
  const ignored = createIgnored({ ...edges, index })
  const pictures = createPagePictures({ ...edges, index, pages, compare, ignored, capture })
  const looking = createLooking({ ...edges, pictures, ignored, whenIdle })
  const desk = createDesk({ pages, quarantine, compare, pictures, window: edges.window, push: edges.push })
  const films = createFilms({ index, quarantine })
  const thumbnailAt = thumbnailAnswers(thumbnails)
  const windows = new Set<BrowserWindow>()
  let isStopped = false

  return {
    async open(opened: InputOf<typeof reviewWindowCalls.openReview>): Promise<Answer<null>> {
      if (index.versions.parts(opened.site, opened.materialId, opened.versionId) === null)
        return fail({ code: 'unknown_version' })
      const window = await openReviewWindow({ ...edges, ...frame, index, pages, quarantine }, opened)
      if (window.isDestroyed()) return ok(null)
      windows.add(window)
      window.once('closed', () => windows.delete(window))
      if (isStopped) window.close()
      return ok(null)
    },
    deskHandlers: {
      ...desk.handlers,
      ...ignored.handlers,
      ...films.handlers,
      saveVersion: versionSaver({
        index,
        folder,
        reviewing: edges.reviewing,
        pages,
        quarantine,
        background: edges.background,
        choose: edges.chooseNewFile,
        now: edges.now,
      }),
    },
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
