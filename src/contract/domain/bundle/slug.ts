import { inLatin } from './transliteration.ts'

const maxChars = 60

/** Names that Windows gives to devices, whatever ending follows. */
const windowsDevice = /^(?:con|prn|aux|nul|conin|conout|com\d|lpt\d)$/

/** Folders of a bundle that are not pages. */
const ownFolders = new Set(['media', 'fonts', 'theme'])

/**
 * Lower-case ASCII letters, digits and single inner hyphens, at most `limit` characters; empty when the text has none.
 * Such a name means the same on every file system: no case to fold, no composed form, no dot, no reserved sign.
 */
export const plainName = (text: string, limit = maxChars): string =>
  inLatin(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, limit)
    .replace(/-$/, '')

const unreserved = (name: string): string => (windowsDevice.test(name) || ownFolders.has(name) ? `${name}-page` : name)

/**
 * The folder name of each page, in the order given: from its slug, else its title, else its id. The first to want a
 * name gets it and later ones take their id behind it, so a page that is added last never moves another one's address.
 */
export function pageFolders(
  pages: readonly { readonly slug: string; readonly title: string; readonly materialId: string }[],
): readonly string[] {
  const taken = new Set<string>()
  return pages.map(({ slug, title, materialId }) => {
    const id = plainName(materialId, 24)
    const name = unreserved(plainName(slug) || plainName(title) || plainName(materialId) || 'page')
    const free = firstFree([name, ...(id === '' ? [] : [`${name}-${id}`])], taken)
    taken.add(free)
    return free
  })
}

function firstFree(names: readonly string[], taken: ReadonlySet<string>): string {
  const free = names.find((name) => !taken.has(name))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = `${names.at(-1) ?? 'page'}-${number}`
    if (!taken.has(numbered)) return numbered
  }
}
