import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isThemeName } from '@galley/library/records'
import { folderSources, themeSources } from '@galley/sites'

import type { Context } from './command.ts'
import { UsageError } from './option.ts'

interface GivenTheme {
  readonly name: string
  /** The folder of a person's theme, relative to the working directory; null for one of Galley's. */
  readonly folder: string | null
  readonly sources: readonly string[]
}

/** The theme in `--theme`: the name of one of Galley's, or a folder; null: none is given. */
export async function givenTheme(context: Context, name: string | null): Promise<GivenTheme | null> {
  if (name === null) return null
  const { themesFolder } = context.line
  if (isThemeName(name) && (await isFolder(join(themesFolder, name))))
    return { name, folder: null, sources: themeSources(themesFolder, name) }
  const folder = resolve(name)
  if (!(await isFolder(folder))) throw new UsageError(`--theme: ${name} is neither a theme of Galley nor a folder`)
  return { name, folder, sources: folderSources(themesFolder, folder) }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
