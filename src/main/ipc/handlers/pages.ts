import type { IndexWith, Reading } from '@galley/library'
import { fileOfTheme, isRasterImage, isThemeName } from '@galley/library/records'
import type { Answer, SitePublishing, StoredFile } from '@galley/library/records'
import { changePages, pageOf, picturesOf, restorePages, tagPages } from '@galley/sites'
import { descriptionMaxChars } from '@galley/sites/bundle'
import type { MaterialId, SiteId } from '@galley/wire'
import { cutAtWord, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { pageCalls, PageFallbacks, PublishingChanges } from '../../../ipc/pages.ts'
import type { NewCode, Questions } from '../questions.ts'
import { notConfirmed, pathNotChosen } from './not-chosen.ts'
import { unknownMaterial, unknownSite } from './unknown.ts'

export interface PagePorts {
  readonly index: IndexWith<'commit' | 'materials' | 'pages' | 'publishing'>
  readonly reading: Reading
}

/** Calls about the publishing settings of a site and of its pages. */
export function pageHandlers(
  ports: PagePorts,
  questions: Pick<Questions, 'mayAddCode'>,
  changed: () => void,
): HandlersOf<typeof pageCalls> {
  const { index } = ports
  const { sites, publishing, materials, pages } = index
  return {
    sitePublishing: ({ site }) => (sites.find(site) ? ok(publishing.of(site)) : unknownSite(site)),
    async saveSitePublishing({ site, changes }): Promise<Answer<SitePublishing>> {
      const found = sites.find(site)
      if (!found) return unknownSite(site)
      const { home, theme } = changes
      if (home !== undefined && home !== 'listing' && !materials.find(site, home)) return unknownMaterial(home)
      // A window cannot choose a folder: it would be read on every computer that shares the library.
      const isBuiltIn = (name: string): boolean => isThemeName(name) && fileOfTheme(name) === null
      if (theme !== undefined && theme !== publishing.of(site).theme && !isBuiltIn(theme)) return pathNotChosen
      const code = newCode(publishing.of(site), changes)
      if (code !== null && !(await questions.mayAddCode(found, code))) return notConfirmed
      await index.commit.write(() => publishing.change(site, changes))
      changed()
      return ok(publishing.of(site))
    },
    pageSettings({ site, materialId }) {
      const page = pageOf(index, site, materialId)
      return page === null ? unknownMaterial(materialId) : ok(page)
    },
    async savePageSettings({ site, materialIds, changes }) {
      const found = sites.find(site)
      if (!found) return unknownSite(site)
      const done = await index.commit.write(() => changePages(index, found.id, materialIds, changes))
      if (!done.ok) return done
      changed()
      return done
    },
    async tagPages({ site, materialIds, add, remove }) {
      const found = sites.find(site)
      if (!found) return unknownSite(site)
      const done = await index.commit.write(() => tagPages(index, found.id, materialIds, { add, remove }))
      if (!done.ok) return done
      changed()
      return done
    },
    async restorePages({ site, before }) {
      const found = sites.find(site)
      if (!found) return unknownSite(site)
      const done = await index.commit.write(() => restorePages(index, found.id, before))
      if (!done.ok) return done
      changed()
      return done
    },
    pageFallbacks: ({ site, materialId }) => fallbacksOf(ports, site, materialId),
    pagesOfSite: (query) => pages.list(query),
    pageIds: (filter) => pages.ids(filter),
    pageTags: ({ site }) => pages.tags(site),
  }
}

async function fallbacksOf(
  { index, reading }: PagePorts,
  site: SiteId,
  materialId: MaterialId,
): Promise<Answer<PageFallbacks>> {
  const page = index.pages.find(site, materialId)
  if (page === null) return unknownMaterial(materialId)
  const versionId = page.outgoingVersionId ?? page.currentVersionId
  const version = versionId === null ? null : index.versions.find(site, materialId, versionId)
  const html = version && index.blobs.find(version.htmlSha256)
  if (!version || !html) return ok({ description: '', language: null, picture: null, pictures: [] })
  const facts = await reading.pageFacts(html)
  const media = [
    ...index.versions.media(site, materialId, version.versionId),
    ...index.versions.referred(site, materialId, version.versionId),
  ]
  const named = ({ name, sha256 }: (typeof media)[number]) => ({ name, sha256 })
  const shown = facts.pictures.flatMap((url): readonly (StoredFile | { readonly url: string })[] => {
    const file = media.find((each) => each.url === url)
    if (file !== undefined) return isRasterImage(file.name) ? [named(file)] : []
    return /^https?:/i.test(url) ? [{ url }] : []
  })
  return ok({
    description: cutAtWord(facts.opening, descriptionMaxChars),
    language: facts.language,
    picture: shown[0] ?? null,
    pictures: picturesOf(index, site, materialId).map(named),
  })
}

/** The code that a change adds to every page; null if it adds none. */
function newCode(before: SitePublishing, changes: PublishingChanges): NewCode | null {
  const added = (['headSnippet', 'bodySnippet'] as const).flatMap((place) => {
    const now = changes[place] ?? ''
    return now.trim() === '' || now === before[place] ? [] : [[place, { was: before[place] || null, now }] as const]
  })
  return added.length === 0 ? null : Object.fromEntries(added)
}
