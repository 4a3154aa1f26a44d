import {
  otherFields,
  pageChanges,
  pageSort,
  pageStates,
  pageTypes,
  publishingFields,
  readTimeZone,
  siteIdText,
  tagsAtMost,
} from '@galley/library/records'
import type {
  Answer,
  PageChanges,
  PageQuery,
  PagesBefore,
  SitePageList,
  SitePageView,
  SitePublishing,
  SortedPages,
  StoredFile,
} from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { z } from 'zod'

import { manyIds } from './materials.ts'
import type { Inputs } from './problem.ts'
import { inSite } from './sites.ts'

/** Default values from the content of the published version, or else of the current one, for settings without a value. */
export interface PageFallbacks {
  /** The first paragraph, cut to the length of a description; empty: the page has no text. */
  readonly description: string
  /** The language that the page declares; null: none, so the site's language applies. */
  readonly language: string | null
  /** The first picture: a file of the version, or an address on the web. */
  readonly picture: StoredFile | { readonly url: string } | null
  /** The pictures of the version that can be the social image. */
  readonly pictures: readonly StoredFile[]
}

const pagesBefore = z.array(z.strictObject({ materialIds: manyIds, settings: otherFields.partial() })).max(20_000)

const knownZone = z.string().refine((text) => readTimeZone(text) === text)

const publishingChanges = z.strictObject({ ...publishingFields, timeZone: knownZone }).partial()

export type PublishingChanges = z.infer<typeof publishingChanges>

export interface PageCalls {
  /** The publishing settings of a site. */
  sitePublishing: { input: { site: SiteId }; output: Answer<SitePublishing> }
  saveSitePublishing: { input: { site: SiteId; changes: PublishingChanges }; output: Answer<SitePublishing> }
  pageSettings: { input: { site: SiteId; materialId: MaterialId }; output: Answer<SitePageView> }
  /**
   * Changes the same settings of several materials; all or none. Fails with `address_taken` and `invalid_address`, field
   * `slug`. Returns the previous settings, without addresses.
   */
  savePageSettings: {
    input: { site: SiteId; materialIds: readonly MaterialId[]; changes: PageChanges }
    output: Answer<PagesBefore>
  }
  /** Adds and removes tags of several pages; their other tags stay. Fails with `invalid_tag`. */
  tagPages: {
    input: { site: SiteId; materialIds: readonly MaterialId[]; add: readonly string[]; remove: readonly string[] }
    output: Answer<PagesBefore>
  }
  /** Undoes a change of several pages; all or none. */
  restorePages: { input: { site: SiteId; before: PagesBefore }; output: Answer<null> }
  pageFallbacks: { input: { site: SiteId; materialId: MaterialId }; output: Answer<PageFallbacks> }
  /** Saved materials that are not archived. */
  pagesOfSite: { input: PageQuery; output: SitePageList }
  /** The IDs of all rows of such a list, in its order. */
  pageIds: { input: SortedPages; output: readonly string[] }
  /** All tags of the site's pages, sorted by name. */
  pageTags: { input: { site: SiteId }; output: readonly string[] }
}

const pageFilter = z.strictObject({
  site: siteIdText,
  state: z.enum(pageStates).nullable(),
  type: z.enum(pageTypes).nullable(),
  text: z.string().max(1000),
  sort: pageSort,
})

const tagNames = z.array(z.string().max(200)).max(tagsAtMost)

export const pageInputs: Inputs<PageCalls> = {
  sitePublishing: inSite,
  saveSitePublishing: inSite.extend({ changes: publishingChanges }),
  pageSettings: inSite.extend({ materialId: z.string() }),
  savePageSettings: inSite.extend({ materialIds: manyIds, changes: pageChanges }),
  tagPages: inSite.extend({ materialIds: manyIds, add: tagNames, remove: tagNames }),
  restorePages: inSite.extend({ before: pagesBefore }),
  pageFallbacks: inSite.extend({ materialId: z.string() }),
  pagesOfSite: pageFilter.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
  pageIds: pageFilter,
  pageTags: inSite,
}
