import type { IndexReads, Vault } from '@galley/library'
import type { Background } from '@galley/platform'
import type { ExportJobs } from '@galley/sites'
import { pageInBackground, themeSources } from '@galley/sites'
import { fail } from '@galley/wire'

import type { RenderInTheme } from './version-pages.ts'

interface Ports {
  readonly index: IndexReads
  readonly vault: Vault
  readonly background: Background<Pick<ExportJobs, 'pageInTheme'>>
  /** Has a folder for each theme of Galley. */
  readonly themesFolder: string
  readonly now: () => Date
}

/** Renders pages inside the theme that their site has now. */
export function renderInTheme({ themesFolder, now, ...ports }: Ports): RenderInTheme {
  return async ({ site: id, ...version }, page) => {
    const site = ports.index.sites.find(id)
    if (site === null) return fail({ code: 'unknown_version' })
    const themes = themeSources(themesFolder, ports.index.publishing.of(id).theme)
    return pageInBackground(ports, site, { ...version, ...page, themes, at: now() })
  }
}
