import { z } from 'zod'

import type { VerdictKind } from '../domain/outgoing.ts'
import type { OnlinePage } from '../domain/release.ts'
import { pageFields, publishingFields, tagsAtMost } from '../domain/site-model-fields.ts'
import type { PageState, PageSettings, PageType, SitePublishing } from '../domain/site-model.ts'
import { pageStates, pageTypes } from '../domain/site-model.ts'
import { readTimeZone } from '../domain/time-zone.ts'
import type { MaterialId, SiteId, VersionId } from '../ids.ts'
import type { StoredFile } from './materials.ts'
import { manyIds } from './materials.ts'
import type { Answer, Inputs } from './problem.ts'
import { siteIdText } from './site-id.ts'
import { inSite } from './sites.ts'

/** The publishing settings of a material, with facts from the library; moments in ISO 8601 UTC. */
export interface SitePageRow {
  readonly materialId: MaterialId
  readonly title: string
  /** The address that was requested; the material's ID if none was. */
  readonly slug: string
  readonly archivedAt: string | null
  /** The version that the site's rule and the page's settings select; null: none. */
  readonly outgoingVersionId: VersionId | null
  /** The number of that version in the material's timeline, in order of arrival from 1; null: no version is published. */
  readonly outgoingNumber: number | null
  /** The decision on that version. */
  readonly outgoingVerdict: VerdictKind
  readonly currentVersionId: VersionId | null
  readonly currentNumber: number | null
  readonly currentVerdict: VerdictKind
  /** What readers see of the page, by target name; empty: it is in the last release of no target. */
  readonly online: readonly OnlinePage[]
  /** When that version was made, or else the current one; null: nothing was saved yet. */
  readonly updated: string | null
  readonly settings: PageSettings
}

/** `address`: where the page is or will be, without a slash at either end; null: nothing was saved yet. */
export interface SitePageView extends SitePageRow {
  readonly address: string | null
}

/** `total` counts all rows that match. */
export interface SitePageList {
  readonly total: number
  readonly rows: readonly SitePageRow[]
}

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

/** `state` and `type` null: any. `text` is searched in titles, IDs and addresses, ignoring case. */
export interface PageFilter {
  readonly site: SiteId
  readonly state: PageState | null
  readonly type: PageType | null
  readonly text: string
}

/** By last save, title, state, first publication, date of the published version, or address; missing values come last. */
export const pageOrders = ['saved', 'title', 'state', 'published', 'updated', 'address'] as const
const pageSort = z.strictObject({ by: z.enum(pageOrders), direction: z.enum(['up', 'down']) })
export type PageSort = z.infer<typeof pageSort>

export interface SortedPages extends PageFilter {
  readonly sort: PageSort
}

export interface PageQuery extends SortedPages {
  readonly offset: number
  readonly limit: number
}

const otherFields = z.strictObject(pageFields).omit({ path: true, feedPath: true, firstSaved: true })
/** Absent members stay unchanged. `slug` moves the page; it and redirects can be set for a single material only. */
const pageChanges = otherFields.extend({ slug: z.string().max(500) }).partial()
export type PageChanges = z.infer<typeof pageChanges>

const pagesBefore = z.array(z.strictObject({ materialIds: manyIds, settings: otherFields.partial() })).max(20_000)
/** The previous settings of several pages, for undo; the pages of a group had the same settings. */
export type PagesBefore = readonly {
  readonly materialIds: readonly MaterialId[]
  readonly settings: Partial<Omit<PageSettings, 'path'>>
}[]

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
