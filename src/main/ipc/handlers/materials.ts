import type { Handlers } from '../../../contract/ipc.ts'
import { fail, ok } from '../../../contract/result.ts'
import { describeOpenFailure } from '../../../contract/session.ts'
import type { Galley } from '../../galley.ts'

const rowsAtMost = 500
/** The inspector shows the beginning of a page; the whole of a large one would stop the window. */
const shownHtmlChars = 200_000

/** Calls about materials, their versions and fonts, and opening the editor. */
export function materialHandlers(
  galley: Galley,
  openInBrowser: (url: string) => Promise<boolean>,
): Pick<Handlers, 'listMaterials' | 'listVersions' | 'showVersion' | 'listSnapshots' | 'openEditor'> {
  const { materials, versions, snapshots, blobs } = galley.index
  return {
    listMaterials: ({ site, text }) =>
      text.trim() === '' ? materials.list(site, rowsAtMost) : materials.search(site, text, rowsAtMost),
    listVersions: ({ site, materialId }) => versions.list(site, materialId),
    async showVersion({ site, materialId, versionId }) {
      const version = versions.find(site, materialId, versionId)
      const parts = versions.parts(site, materialId, versionId)
      const page = parts && blobs.find(parts.html)
      if (!version || !parts || !page)
        return fail({ code: 'unknown_version', message: 'This version is not in the library any more.' })
      const html = await galley.vault.readBytes({ ...page, sizeBytes: Math.min(page.sizeBytes, shownHtmlChars * 4) })
      return ok({
        version,
        media: versions.media(site, materialId, versionId),
        html: html.toString('utf8').slice(0, shownHtmlChars),
        metadata: parts.metadata ?? '',
      })
    },
    listSnapshots: ({ site }) => snapshots.list(site),
    async openEditor({ site, materialId, title }) {
      const opened = await galley.sessions.open({ site, materialId, title, slug: null, metadata: null })
      if (!opened.ok) return fail({ code: opened.failure.kind, message: describeOpenFailure(opened.failure) })
      const { url, reused } = opened.value
      return ok({ url, reused, shownInBrowser: await openInBrowser(url) })
    },
  }
}
