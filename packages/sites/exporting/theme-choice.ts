import { join } from 'node:path'
import { fileOfTheme, isThemeName } from '@galley/library/records'

/**
 * The sources that a theme of a site is read from: its own, a folder or a file of the library, then the folder of the default
 * theme. What a log says is never taken for a path.
 */
export function themeSources(themesFolder: string, theme: string): readonly string[] {
  const standard = join(themesFolder, 'default')
  if (fileOfTheme(theme) !== null) return [theme, standard]
  return ownFirst(isThemeName(theme) ? join(themesFolder, theme) : standard, standard)
}

/** The sources of a theme in a folder that a person has chosen on this computer. */
export const folderSources = (themesFolder: string, folder: string): readonly string[] =>
  ownFirst(folder, join(themesFolder, 'default'))

const ownFirst = (own: string, standard: string): readonly string[] => (own === standard ? [own] : [own, standard])
