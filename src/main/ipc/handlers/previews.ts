import type { IndexReads } from '@galley/library'
import { themeSources } from '@galley/sites'
import type { Preview, Previews } from '@galley/sites'
import { ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { PreviewState } from '../../../ipc/publishing.ts'
import type { Desktop } from '../desktop.ts'
import { unknownSite } from './unknown.ts'

export interface PreviewPorts {
  readonly index: Pick<IndexReads, 'sites'>
  readonly previews: Previews
}

interface Edges {
  readonly desktop: Pick<Desktop, 'openInBrowser'>
  readonly themesFolder: string
  readonly changed: () => void
}

/** Calls about the site as it would be published, served on this computer. */
export function previewHandlers(
  { index, previews }: PreviewPorts,
  { desktop, themesFolder, changed }: Edges,
): Pick<Handlers, 'startPreview' | 'stopPreview' | 'previewState'> {
  return {
    async startPreview({ site: id, where }) {
      const site = index.sites.find(id)
      if (!site) return unknownSite(id)
      const themesOf = (theme: string): readonly string[] => themeSources(themesFolder, theme)
      const started = await previews.start({ site, themesOf, onProblem: changed })
      if (!started.ok) return started
      changed()
      if (where === 'browser') await desktop.openInBrowser(started.value.url)
      return ok(stateOf(started.value))
    },
    async stopPreview({ site }) {
      await previews.stop(site)
      changed()
      return null
    },
    previewState({ site }) {
      const preview = previews.of(site)
      return preview && stateOf(preview)
    },
  }
}

const stateOf = ({ url, problem }: Preview): PreviewState => ({
  url,
  problem,
})
