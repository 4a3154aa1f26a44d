import { readdir } from 'node:fs/promises'
import type { IndexWith, Vault } from '@galley/library'
import type { ThemeProblem } from '@galley/library/records'
import { fileOfTheme, invalidTheme, isThemeName } from '@galley/library/records'
import type { Background } from '@galley/platform'
import { answerFrom, folderSources, storeTheme, themeSources } from '@galley/sites'
import type { ExportJobs } from '@galley/sites'
import { cause, fail, ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { themeCalls, ThemeView } from '../../../ipc/themes.ts'
import type { Desktop } from '../desktop.ts'
import type { ThemePictures } from '../theme-pictures.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownSite } from './unknown.ts'

interface ThemePorts {
  readonly index: IndexWith<'commit' | 'publishing'>
  readonly vault: Vault
  readonly background: Background<ExportJobs>
}

interface Edges {
  readonly desktop: Desktop
  readonly pictures: ThemePictures
  /** The folder of Galley's own themes. */
  readonly themesFolder: string
  readonly changed: () => void
}

/**
 * Calls about the themes of a site. A window names no folder that no dialog of main has named in this session; using one
 * stores its files with the site.
 */
export function themeHandlers(
  { index, vault, background }: ThemePorts,
  { desktop, pictures, themesFolder, changed }: Edges,
): HandlersOf<typeof themeCalls> {
  const { commit, sites, publishing } = index
  const chosen = new Set<string>()
  const sourcesOf = (theme: string): readonly string[] =>
    chosen.has(theme) ? folderSources(themesFolder, theme) : themeSources(themesFolder, theme)

  async function viewOf(site: SiteId, theme: string): Promise<ThemeView> {
    const sources = sourcesOf(theme)
    const { manifest, isNamed, problem } = await background.run(
      'checkTheme',
      { sources, publishing: publishing.of(site) },
      { answer: answerFrom({ index, vault }) },
    )
    const [own = ''] = sources
    const isStored = fileOfTheme(theme) !== null
    return {
      theme,
      isOwn: isStored || chosen.has(theme),
      label: isNamed ? (manifest?.label ?? null) : null,
      version: isNamed ? (manifest?.version ?? null) : null,
      settings: manifest?.settings ?? [],
      picture: isStored ? null : await pictures.read(own),
      problem,
    }
  }
  /** Galley's themes, then those of files: of this site, of others, and in folders chosen since the app started. */
  async function known(site: SiteId): Promise<readonly string[]> {
    const shipped = (await readdir(themesFolder)).filter(isThemeName).toSorted()
    const used = [site, ...sites.list().map(({ id }) => id)].map((id) => publishing.of(id).theme)
    return [...new Set([...shipped, ...used.filter((theme) => fileOfTheme(theme) !== null), ...chosen])]
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
      if (problem !== null) return fail(invalidTheme(problem))
      if (chosen.has(theme)) {
        const stored = await storeTheme({ index, vault }, site, theme)
        // The folder has changed since it was checked.
        if (!stored.ok)
          return fail(stored.failure.code === 'invalid_theme' ? stored.failure : invalidTheme(unreadable(theme)))
      } else await commit.write(() => publishing.change(site, { theme }))
      changed()
      return ok(publishing.of(site))
    },
  }
}

const unreadable = (file: string): ThemeProblem => ({ file, line: null, column: null, problem: cause('theme_empty') })
