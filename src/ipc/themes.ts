import type { Answer, SitePublishing, ThemeProblem } from '@galley/library/records'
import type { LocalText, ThemeSetting } from '@galley/sites/bundle'
import { z } from 'zod'

import { asks, inSite } from './call.ts'

/** A theme that a site can use: a built-in one, or a folder that a person has chosen. */
export interface ThemeView {
  /** In the form of `SitePublishing.theme`, or a folder that a person has chosen, whose files are stored when it is used. */
  readonly theme: string
  readonly isOwn: boolean
  /** null: the folder has no `theme.json`, or one that cannot be read. */
  readonly label: LocalText | null
  readonly version: string | null
  readonly settings: readonly ThemeSetting[]
  /** The URL of its picture for the window. */
  readonly picture: string | null
  /** The first mistake of the theme. A site cannot be exported with such a theme. */
  readonly problem: ThemeProblem | null
}

export const themeCalls = {
  /** Reloads all themes, including the folders, with the settings of the site. */
  listThemes: asks(inSite).gives<Answer<readonly ThemeView[]>>(),
  /** Asks for a folder and lists it as a theme until the app ends; null: none was chosen. */
  chooseThemeFolder: asks(inSite).gives<Answer<ThemeView | null>>(),
  /** Gives the site one of the listed themes. Fails with `invalid_theme` and `path_not_chosen`. */
  useTheme: asks(inSite.extend({ theme: z.string().min(1).max(4096) })).gives<Answer<SitePublishing>>(),
}
