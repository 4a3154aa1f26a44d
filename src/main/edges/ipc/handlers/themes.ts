import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

import { themeManifestFile } from '../../../../contract/domain/bundle/render/theme.ts'
import type { SiteId } from '../../../../contract/ids.ts'
import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { ThemeCalls, ThemeView } from '../../../../contract/ipc/themes.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { Index } from '../../../library/db/library-index.ts'
import { isThere } from '../../../platform/disk/is-there.ts'
import type { Background } from '../../../platform/threads/background.ts'
import type { ExportJobs } from '../../../use-cases/exporting/jobs.ts'
import { isThemeName, themeFolders } from '../../../use-cases/exporting/theme-choice.ts'
import type { Desktop } from '../desktop.ts'
import type { ThemePictures } from '../theme-pictures.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownSite } from './unknown.ts'

interface ThemePorts {
  readonly index: Index
  readonly background: Background<ExportJobs>
}

interface Edges {
  readonly desktop: Desktop
  readonly pictures: ThemePictures
  /** The folder of Galley's own themes. */
  readonly themesFolder: string
  readonly changed: () => void
}

/** Calls about the themes of a site. A window names no folder that neither a dialog of main nor the library has named. */
export function themeHandlers(
  { index: { commit, sites, publishing }, background }: ThemePorts,
  { desktop, pictures, themesFolder, changed }: Edges,
): Pick<Handlers, keyof ThemeCalls> {
  const chosen = new Set<string>()

  async function viewOf(site: SiteId, theme: string): Promise<ThemeView> {
    const folders = themeFolders(themesFolder, theme)
    const { manifest, problem } = await background.run('checkTheme', { folders, publishing: publishing.of(site) })
    const [own = ''] = folders
    // A folder without a manifest uses that of the default theme, but not its name.
    const isNamed = await isThere(join(own, themeManifestFile))
    return {
      theme,
      isOwn: isAbsolute(theme),
      label: isNamed ? (manifest?.label ?? null) : null,
      version: isNamed ? (manifest?.version ?? null) : null,
      settings: manifest?.settings ?? [],
      picture: await pictures.read(own),
      problem,
    }
  }
  /** Galley's themes, then folders: of this site, of others, and chosen since the app started. */
  async function known(site: SiteId): Promise<readonly string[]> {
    const shipped = (await readdir(themesFolder)).filter(isThemeName).toSorted()
    const used = [site, ...sites.list().map(({ id }) => id)].map((id) => publishing.of(id).theme)
    return [...new Set([...shipped, ...used.filter((theme) => isAbsolute(theme)), ...chosen])]
  }

  return {
    async listThemes({ site }) {
      if (!sites.find(site)) return unknownSite(site)
      const views: ThemeView[] = []
      for (const theme of await known(site)) views.push(await viewOf(site, theme))
      return ok(views)
    },
    async chooseThemeFolder({ site }) {
      if (!sites.find(site)) return unknownSite(site)
      const folder = await desktop.chooseFolder('themeFolder')
      if (folder === null) return ok(null)
      chosen.add(folder)
      return ok(await viewOf(site, folder))
    },
    async useTheme({ site, theme }) {
      if (!sites.find(site)) return unknownSite(site)
      if (!(await known(site)).includes(theme)) return pathNotChosen
      const { problem } = await viewOf(site, theme)
      if (problem !== null)
        return fail({ code: 'invalid_theme', facts: { ...problem, ...(problem.line === null && { state: 'file' }) } })
      await commit.write(() => publishing.change(site, { theme }))
      changed()
      return ok(publishing.of(site))
    },
  }
}
