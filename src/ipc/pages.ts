import {
  otherFields,
  pageChanges,
  pageSort,
  pageStates,
  pageTypes,
  readTimeZone,
  settable,
  siteIdText,
  tagsAtMost,
} from '@galley/library/records'
import type {
  Answer,
  PagesBefore,
  SitePageList,
  SitePageView,
  SitePublishing,
  StoredFile,
} from '@galley/library/records'
import { z } from 'zod'

import { asks, manyIds, inSite, inMaterial, inMaterials, slice } from './call.ts'

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

const pagesBefore: z.ZodType<PagesBefore> = z
  .array(z.strictObject({ materialIds: manyIds, settings: otherFields.partial() }))
  .max(20_000)

const knownZone = z.string().refine((text) => readTimeZone(text) === text)

const publishingChanges = settable('site')
  .omit({ editors: true, expiredToken: true, pause: true })
  .extend({ timeZone: knownZone.optional() })

export type PublishingChanges = z.infer<typeof publishingChanges>

const pageFilter = z.strictObject({
  site: siteIdText,
  state: z.enum(pageStates).nullable(),
  type: z.enum(pageTypes).nullable(),
  text: z.string().max(1000),
  sort: pageSort,
})

const tagNames: z.ZodType<readonly string[]> = z.array(z.string().max(200)).max(tagsAtMost)

export const pageCalls = {
  /** The publishing settings of a site. */
  sitePublishing: asks(inSite).gives<Answer<SitePublishing>>(),
  saveSitePublishing: asks(inSite.extend({ changes: publishingChanges })).gives<Answer<SitePublishing>>(),
  pageSettings: asks(inMaterial).gives<Answer<SitePageView>>(),
  /**
   * Changes the same settings of several materials; all or none. Fails with `address_taken` and `invalid_address`, field
   * `slug`. Returns the previous settings, without addresses.
   */
  savePageSettings: asks(inMaterials.extend({ changes: pageChanges })).gives<Answer<PagesBefore>>(),
  /** Adds and removes tags of several pages; their other tags stay. Fails with `invalid_tag`. */
  tagPages: asks(inMaterials.extend({ add: tagNames, remove: tagNames })).gives<Answer<PagesBefore>>(),
  /** Undoes a change of several pages; all or none. */
  restorePages: asks(inSite.extend({ before: pagesBefore })).gives<Answer<null>>(),
  pageFallbacks: asks(inMaterial).gives<Answer<PageFallbacks>>(),
  /** Saved materials that are not archived. */
  pagesOfSite: asks(pageFilter.extend(slice)).gives<SitePageList>(),
  /** The IDs of all rows of such a list, in its order. */
  pageIds: asks(pageFilter).gives<readonly string[]>(),
  /** All tags of the site's pages, sorted by name. */
  pageTags: asks(inSite).gives<readonly string[]>(),
}
