import type { Index } from '@galley/library'
import { cleared, decide, personHere } from '@galley/library'
import { mediaChanges } from '@galley/library/records'
import type { Answer, AppSettings, CallProblem, MaterialRef } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { HandlersOf, InputOf } from '../../ipc/call.ts'
import type { PageFault } from '../../ipc/diagnostics.ts'
import type { PaneName, Review, reviewCalls } from '../../ipc/review-window.ts'
import type { VersionRef } from '../../ipc/thumbnail-url.ts'
import type { ReviewJobs } from '../review/jobs.ts'
import type { VersionPage, VersionPages } from '../review/version-pages.ts'

/** The maximum text to compare: more would block the frame for seconds. */
const comparedCharsAtMost = 5_000_000

/** The functions of a review window that its calls need. */
export interface Stage {
  show(pane: PaneName, page: VersionPage | null, hasImages: boolean): Promise<boolean>
  place(places: InputOf<typeof reviewCalls.placePages>): void
  syncScroll(on: boolean): void
  focus(pane: PaneName): void
  close(): void
  /** Sets the window title. */
  setTitle(title: string): void
}

export interface ReviewPorts {
  readonly index: Index
  readonly pages: VersionPages
  readonly background: Background<ReviewJobs>
  readonly settings: () => AppSettings
  readonly now: () => Date
  /** Called after a verdict. */
  readonly changed: (material: MaterialRef) => void
  readonly copyText: (text: string) => Promise<void>
  /** Focuses the main window on its Health screen. */
  readonly showHealth: () => void
  /** Focuses the main window and opens the material in the editor. */
  readonly openInEditor: (site: SiteId, materialId: MaterialId) => void
  /** Logs an error of the frame. */
  readonly logFault: (fault: PageFault) => void
}

const gone: CallProblem = { code: 'unknown_version' }

const unexpected: CallProblem = {
  code: 'unexpected',
}

/** The version of a review window, and the one to compare with. */
export interface Opened extends VersionRef {
  readonly compareWith: string | null
}

/** The calls of a review window about one material. */
export function reviewHandlers(ports: ReviewPorts, opened: Opened, stage: Stage): HandlersOf<typeof reviewCalls> {
  const { index, pages, settings, now, changed, copyText, showHealth, openInEditor, logFault } = ports
  const { site, materialId } = opened
  const latest = new Map<PaneName, number>()

  return {
    readReview() {
      const review = reviewOf(index, opened)
      if (review.ok) stage.setTitle(review.value.title)
      return review
    },
    async showPage({ pane, versionId, hasImages }) {
      const turn = (latest.get(pane) ?? 0) + 1
      latest.set(pane, turn)
      const page = versionId === null ? null : await pages.make({ site, materialId, versionId })
      // If the versions are changed quickly, only the last one is shown, whatever loads first.
      if (latest.get(pane) !== turn) return ok(null)
      if (page?.ok === false) return page
      const isShown = await stage.show(pane, page?.value ?? null, hasImages)
      if (latest.get(pane) !== turn) return ok(null)
      if (!isShown) return fail(unexpected)
      return ok(page === null ? null : page.value.shown)
    },
    placePages(places) {
      stage.place(places)
      return null
    },
    syncScroll({ on }) {
      stage.syncScroll(on)
      return null
    },
    focusPage({ pane }) {
      stage.focus(pane)
      return null
    },
    ...comparisonHandlers(ports, opened),
    async judgeVersion({ versionId, verdict }) {
      // The main window asks for it; this one has no room for a dialog.
      if (settings().personName.trim() === '') return fail({ code: 'name_missing' })
      const version = { site, materialId, versionId, mayBeOld: true }
      const given = { ...(verdict ?? cleared), by: personHere(settings()), at: now().toISOString() }
      const done = await index.commit.write(() => decide(index, version, given))
      if (!done.ok) return fail({ code: done.failure })
      changed({ site, materialId })
      return ok(null)
    },
    readSettings: settings,
    async copyText({ text }) {
      await copyText(text)
      return null
    },
    openInEditor() {
      openInEditor(site, materialId)
      return null
    },
    showHealth() {
      showHealth()
      return null
    },
    reportFault(fault) {
      logFault(fault)
      return null
    },
    closeReview() {
      stage.close()
      return null
    },
  }
}

/** The reviewed material with all its versions. */
function reviewOf(index: Index, { site, materialId, versionId, compareWith }: Opened): Answer<Review> {
  const versions = index.versions.list(site, materialId)
  const [newest] = versions
  if (newest === undefined) return fail(gone)
  const verdicts = index.versionList.verdicts(site, materialId)
  const { name, environment } = index.sites.find(site) ?? { name: site, environment: null }
  return ok({
    site: newest.site,
    siteName: name,
    environment,
    materialId: newest.materialId,
    title: index.materials.find(site, materialId)?.title || materialId,
    versions: versions.map(
      ({ versionId: id, number, versionCdate, receivedAt, userEmail, mediaCount, sizeBytes, htmlSha256, current }) => ({
        versionId: id,
        number,
        versionCdate,
        receivedAt,
        userEmail,
        mediaCount: mediaCount + index.versions.referred(site, materialId, id).length,
        sizeBytes,
        htmlSha256,
        current,
        verdict: verdicts.get(id) ?? null,
      }),
    ),
    versionId,
    compareWith,
  })
}

/** Calls that compare two versions of the material. */
function comparisonHandlers(
  { index, pages, background }: ReviewPorts,
  { site, materialId }: Opened,
): Pick<HandlersOf<typeof reviewCalls>, 'compareTexts' | 'compareMedia'> {
  const partsOf = (versionId: VersionId) => index.versions.parts(site, materialId, versionId)
  return {
    async compareTexts({ part, before, after }) {
      const [from, to] = [partsOf(before), partsOf(after)]
      if (!from || !to) return fail(gone)
      const blob = part === 'state' ? 'state' : 'html'
      const texts = await background.run('reviewTexts', {
        part,
        before: await pages.stored(from[blob]),
        after: await pages.stored(to[blob]),
        maxChars: comparedCharsAtMost,
      })
      return texts.ok ? texts : texts
    },
    compareMedia({ before, after }) {
      if (!partsOf(before) || !partsOf(after)) return fail(gone)
      const media = (versionId: VersionId) => [
        ...index.versions.referred(site, materialId, versionId),
        // The version's own files take precedence over earlier ones of the same name.
        ...index.versions.media(site, materialId, versionId),
      ]
      return ok(mediaChanges(media(before), media(after)))
    },
  }
}
