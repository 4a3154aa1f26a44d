import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import { fieldMax } from '../records/field-max.ts'
import { settable } from '../records/fields.ts'
import type { VerdictKind } from '../records/outgoing.ts'
import type { OnlinePage } from '../records/release.ts'
import type { PageSettings } from '../records/site-model-fields.ts'
import type { PageState, PageType } from '../records/site-model.ts'

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

/** `state` and `type` null: any. `text` is searched in titles, IDs and addresses, ignoring case. */
export interface PageFilter {
  readonly site: SiteId
  readonly state: PageState | null
  readonly type: PageType | null
  readonly text: string
}

/** By last save, title, state, first publication, date of the published version, or address; missing values come last. */
export const pageOrders = ['saved', 'title', 'state', 'published', 'updated', 'address'] as const

export const pageSort = z.strictObject({ by: z.enum(pageOrders), direction: z.enum(['up', 'down']) })

export type PageSort = z.infer<typeof pageSort>

export interface SortedPages extends PageFilter {
  readonly sort: PageSort
}

export interface PageQuery extends SortedPages {
  readonly offset: number
  readonly limit: number
}

export const otherFields = settable('page').omit({ path: true, feedPath: true, firstSaved: true })

/** Absent members stay unchanged. `slug` moves the page; it and redirects can be set for a single material only. */
export const pageChanges = otherFields.extend({ slug: z.string().max(fieldMax.slug).optional() })

export type PageChanges = z.infer<typeof pageChanges>

/** The previous settings of several pages, for undo; the pages of a group had the same settings. */
export type PagesBefore = readonly {
  readonly materialIds: readonly MaterialId[]
  readonly settings: Partial<Omit<PageSettings, 'path'>>
}[]
