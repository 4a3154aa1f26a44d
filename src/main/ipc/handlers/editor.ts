import type { Handlers } from '../../../contract/ipc.ts'
import type { EditorCalls } from '../../../contract/ipc/editor.ts'
import type { CallProblem } from '../../../contract/ipc/problem.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { OpenFailure } from '../../../contract/session.ts'
import { describeOpenFailure } from '../../../contract/session.ts'
import type { Galley } from '../../galley.ts'
import type { Desktop } from '../desktop.ts'
import { unknownSite } from './unknown.ts'

/** Calls about opening a material in the hosted editor. */
export function editorHandlers(
  galley: Galley,
  desktop: Desktop,
  changed: () => void,
): Pick<Handlers, keyof EditorCalls> {
  return {
    async previewOpen({ site, materialId }) {
      const found = galley.index.sites.find(site)
      return found ? ok(await galley.sessions.preview(found, materialId)) : unknownSite(site)
    },
    async openEditor({ site, materialId, title, slug = null, metadata = null }) {
      const opened = await galley.sessions.open({ site, materialId, title, slug, metadata })
      if (!opened.ok) return fail(problemOf(opened.failure))
      changed()
      const { url, reused } = opened.value
      const browser = await desktop.openInBrowser(url).then(
        (isShown) => (isShown ? ('shown' as const) : ('unsafe' as const)),
        // The session is open all the same, and its address is at hand.
        () => 'failed' as const,
      )
      return ok({ url, reused, browser })
    },
  }
}

function problemOf(failure: OpenFailure): CallProblem {
  const { kind, ...facts } = failure
  return { code: kind, message: describeOpenFailure(failure), facts }
}
