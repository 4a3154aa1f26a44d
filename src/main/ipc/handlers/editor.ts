import type { Confirmations, IndexReads, Sessions } from '@galley/library'
import { isOpenableEditorUrl } from '@galley/library'
import { ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { editorCalls, OpenedEditor } from '../../../ipc/editor.ts'
import type { TryIt } from '../../try-it/try-it.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { unknownSite } from './unknown.ts'

export interface EditorPorts {
  readonly index: IndexReads
  readonly sessions: Sessions
  readonly confirmations: Confirmations
}

/** Calls about opening a material in the hosted editor. */
export function editorHandlers(
  ports: EditorPorts,
  desktop: Desktop,
  questions: Questions,
  changed: () => void,
  tryIt: Pick<TryIt, 'wake'>,
): HandlersOf<typeof editorCalls> {
  return {
    async previewOpen({ site, materialId }) {
      await tryIt.wake(site)
      const found = ports.index.sites.find(site)
      return found ? ok(await ports.sessions.preview(found, materialId)) : unknownSite(site)
    },
    async openEditor({ site, materialId, title, slug = null, metadata = null }) {
      await tryIt.wake(site)
      const opened = await ports.sessions.open({ site, materialId, title, slug, metadata })
      if (!opened.ok) return opened
      changed()
      const { url, reused } = opened.value
      return ok({ url, reused, browser: await showEditor(site, url) })
    },
  }

  /** Opens the editor on its service's origin, or on one that a person has allowed for this site. */
  async function showEditor(id: string, url: string): Promise<OpenedEditor['browser']> {
    if (!isOpenableEditorUrl(url)) return 'unsafe'
    const { origin } = new URL(url)
    const site = ports.index.sites.find(id)
    if (!site) return 'declined'
    if (!ports.confirmations.isEditorOrigin(site, origin)) {
      if (!(await questions.mayOpenEditorAt(site, origin))) return 'declined'
      ports.confirmations.allowEditorOrigin(site, origin)
    }
    return desktop.openInBrowser(url).then(
      () => 'shown',
      // The session is open, and the window shows its URL.
      () => 'failed',
    )
  }
}
