import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'

import type { Answer } from '../../../contract/ipc/problem.ts'
import type { ReviewWindowCalls } from '../../../contract/ipc/review.ts'
import type { AppSettings } from '../../../contract/ipc/settings.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { Background } from '../../platform/threads/background.ts'
import type { ReviewJobs } from '../../use-cases/review/jobs.ts'
import { createQuarantine } from './quarantine.ts'
import { thumbnailAnswers } from '../../use-cases/review/thumbnail-answers.ts'
import { createThumbnails } from '../../use-cases/review/thumbnails.ts'
import { createVersionPages } from '../../use-cases/review/version-pages.ts'
import { openReviewWindow } from './window.ts'

export interface ReviewEdges {
  readonly index: Index
  readonly vault: Vault
  readonly background: Background<ReviewJobs>
  readonly folder: string
  readonly now: () => Date
  readonly settings: () => AppSettings
  /** Resolves when nothing is under way that thumbnails would be in the way of. */
  readonly whenIdle: () => Promise<void>
  /** The page around stored pages, the script that gives it its calls, and who may make them. */
  readonly frame: {
    readonly page: string
    readonly preload: string
    readonly isTrusted: (event: IpcMainInvokeEvent) => boolean
    /** Looks after the page of a window. */
    readonly watch: (window: BrowserWindow) => void
  }
  /** Brings the window of the library to its Health screen. */
  readonly showHealth: () => void
  /** Brings it to a material, on its way into the editor. */
  readonly openInEditor: (site: string, materialId: string) => void
  readonly copyText: (text: string) => Promise<void>
  /** Told when a review has changed what the library says of its versions. */
  readonly changed: () => void
  readonly log: (line: string) => void
}

/** Wires the review of stored versions: windows on them, and their thumbnails. */
export function createReviews({ index, vault, folder, whenIdle, frame, ...edges }: ReviewEdges) {
  const pages = createVersionPages(index, vault, edges.background)
  const quarantine = createQuarantine({ blobs: index.blobs, read: vault.read })
  const thumbnails = createThumbnails({ folder, index, pages, picture: quarantine.picture, whenIdle })
  // What a library that closes meanwhile leaves over goes after the next start.
  thumbnails.sweep().catch(() => undefined)

  return {
    async open(opened: ReviewWindowCalls['openReview']['input']): Promise<Answer<null>> {
      if (index.versions.parts(opened.site, opened.materialId, opened.versionId) === null)
        return fail({ code: 'unknown_version' })
      await openReviewWindow({ ...edges, ...frame, index, pages, quarantine }, opened)
      return ok(null)
    },
    thumbnailAt: thumbnailAnswers(thumbnails),
    stop: thumbnails.stop,
  }
}
