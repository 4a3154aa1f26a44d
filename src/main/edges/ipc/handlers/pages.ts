import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { PageCalls } from '../../../../contract/ipc/pages.ts'
import type { Answer } from '../../../../contract/ipc/problem.ts'
import type { SitePublishing } from '../../../../contract/domain/site-model.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { Index } from '../../../library/db/library-index.ts'
import { isThemeName } from '../../../use-cases/exporting/theme-choice.ts'
import type { PageFailure } from '../../../use-cases/pages/pages.ts'
import { changePages, pageOf } from '../../../use-cases/pages/pages.ts'
import { pathNotChosen } from './not-chosen.ts'
import { addressTaken, unknownMaterial, unknownSite, unknownVersion } from './unknown.ts'

/** Calls about what a site says of its publications and of its pages. */
export function pageHandlers(
  { index }: { readonly index: Index },
  changed: () => void,
): Pick<Handlers, keyof PageCalls> {
  const { sites, publishing, materials, pages } = index
  return {
    sitePublishing: ({ site }) => (sites.find(site) ? ok(publishing.of(site)) : unknownSite(site)),
    async saveSitePublishing({ site, changes }): Promise<Answer<SitePublishing>> {
      if (!sites.find(site)) return unknownSite(site)
      const { home, theme } = changes
      if (home !== undefined && home !== 'listing' && !materials.find(site, home)) return unknownMaterial(home)
      // A window names no folder of its own: it would be read on every machine that shares the library.
      if (theme !== undefined && theme !== publishing.of(site).theme && !isThemeName(theme)) return pathNotChosen
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
      if (!done.ok) return problemOf(done.failure)
      changed()
      return ok(null)
    },
    pagesOfSite: (query) => pages.list(query),
  }
}

function problemOf(failure: PageFailure): Answer<never> {
  switch (failure.kind) {
    case 'unknown_material':
      return unknownMaterial(failure.materialId)
    case 'unknown_version':
      return unknownVersion(failure.versionId)
    case 'address_taken':
      return addressTaken(failure)
    case 'invalid_address':
      return fail({ code: failure.kind, field: 'slug', facts: { address: failure.address, problem: failure.problem } })
  }
}
