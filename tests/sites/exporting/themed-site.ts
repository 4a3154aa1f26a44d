import { join } from 'node:path'

import type { PageSettings, SitePublishing } from '../../../packages/library/records/site-model-fields.ts'
import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { temporaryFolder } from './folders.ts'
import { reported } from './into-folder.ts'
import { createSampleLibrary, plainOptions } from './sample-library.ts'

export const themesFolder = join(import.meta.dirname, '../../../resources/themes')
export const shipped = ['default', 'magazine', 'plain']
export const foldersOf = (theme: string): readonly string[] => [
  join(themesFolder, theme),
  join(themesFolder, 'default'),
]

/** A site with every kind of page, exported with a theme. */
export async function exportedWith(
  themes: readonly string[],
  publishing: Partial<SitePublishing> = {},
  language: string | null = null,
) {
  const library = createSampleLibrary()
  const picture = library.media('cover.png', 'a picture')
  const settings: Partial<PageSettings> = {
    tags: ['Sea & sand', 'Food', 'ATagWithoutBlanksThatIsAsLongAsATagMayBeWhichIs64LettersAndSigns'],
    author: 'Ada',
    description: 'In short',
  }
  for (let number = 1; number <= 5; number++) {
    // One title is a word that no line has room for.
    const title = `Page ${number}${number === 5 ? 'AndSomebodyPastedAnIdentifierHere'.repeat(4) : ''}`
    const html = `<h1>${title}</h1><p>Post ${title}</p><figure><img src="${picture.url}" alt=""></figure>`
    // Another one is a whole document with a main part of its own.
    const stored = number === 4 ? `<!doctype html><body><main>${html}</main></body>` : html
    library.save(String(number), stored, [picture], title)
    const page = library.pages.at(-1)
    if (page === undefined) throw new Error('a page was saved')
    const published = `202${number}-03-01T10:00:00.000Z`
    library.pages[library.pages.length - 1] = {
      ...page,
      settings: { ...pageDefaults, ...settings, language, published },
    }
  }
  const directory = temporaryFolder()
  const source = library.source()
  const site = { ...source.site, publishing: { ...publishingDefaults, postsPerPage: 2, ...publishing } }
  const done = await exportBundle({
    source: { ...source, site },
    target: { kind: 'folder', directory },
    options: { ...plainOptions, themes },
  })
  return { directory, done: reported(done) }
}
