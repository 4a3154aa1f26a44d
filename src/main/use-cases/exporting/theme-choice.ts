import { isAbsolute, join } from 'node:path'

/**
 * The folders that a theme is read from: its folder, then that of the default theme. A theme is the name of one that
 * comes with Galley, or an absolute folder.
 */
export function themeFolders(themesFolder: string, theme: string): readonly string[] {
  const own = isAbsolute(theme) ? theme : join(themesFolder, isThemeName(theme) ? theme : 'default')
  const standard = join(themesFolder, 'default')
  return own === standard ? [standard] : [own, standard]
}

/** Whether this is a theme name, and not a path out of the themes folder. */
export const isThemeName = (theme: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/.test(theme)
