import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@galley/platform'
import { app, session } from 'electron'

/** Where Linux distributions keep dictionaries in the format of Chromium. */
const systemFolders = [
  '/usr/share/hunspell-bdic',
  '/usr/share/qt6/qtwebengine_dictionaries',
  '/usr/share/qt5/qtwebengine_dictionaries',
]

/** Chromium's language, the system's file without its ending, and the file that Chromium reads. */
const dictionaries = [
  ['en-US', 'en_US', 'en-US-10-1'],
  ['en-GB', 'en_GB', 'en-GB-10-1'],
  ['ru', 'ru_RU', 'ru-RU-3-0'],
  ['de', 'de_DE', 'de-DE-3-0'],
  ['fr', 'fr_FR', 'fr-FR-3-0'],
  ['es', 'es_ES', 'es-ES-3-0'],
] as const

const primary = (language: string): string => language.replace(/-.*$/, '')

/** The dictionaries for these languages: of the same country, or else the first of the same language. */
const dictionariesFor = (languages: readonly string[]) =>
  new Set(
    languages.flatMap(
      (language) =>
        dictionaries.find(([name]) => name === language) ??
        dictionaries.filter(([name]) => primary(name) === primary(language)).slice(0, 1),
    ),
  )

/**
 * Checks the spelling of the window's texts with what this computer has; nothing is ever downloaded. macOS chooses the
 * languages itself, Windows has a checker for the languages that are installed, and Linux needs dictionary files.
 */
export function createSpellCheck(folders: readonly string[] = systemFolders) {
  const own = session.defaultSession
  // Chromium would fetch what is missing. This address has no server, and the window resolves no names either.
  own.setSpellCheckerDictionaryDownloadURL('file:///')
  if (process.platform === 'linux') own.setSpellCheckerLanguages([])
  return {
    /** The user's languages in order of preference, starting with that of the window. */
    async use(languages: readonly string[]): Promise<void> {
      if (process.platform === 'darwin') return
      const wanted = [...dictionariesFor([...languages, ...app.getPreferredSystemLanguages()])]
      if (process.platform === 'win32') return own.setSpellCheckerLanguages(wanted.map(([name]) => name))
      const found: string[] = []
      for (const [name, systemName, file] of wanted) if (await take(folders, systemName, file)) found.push(name)
      own.setSpellCheckerLanguages(found)
    },
    learn: (word: string): boolean => own.addWordToSpellCheckerDictionary(word),
  }
}

/** Copies a dictionary to where Chromium looks for it. Returns false if the system has none. */
async function take(folders: readonly string[], systemName: string, file: string): Promise<boolean> {
  const own = join(app.getPath('userData'), 'Dictionaries')
  await mkdir(own, { recursive: true })
  for (const folder of folders) {
    try {
      await copyFile(join(folder, `${systemName}.bdic`), join(own, `${file}.bdic`))
      return true
    } catch (error) {
      if (!isSystemError(error)) throw error
    }
  }
  return false
}

export type SpellCheck = ReturnType<typeof createSpellCheck>
