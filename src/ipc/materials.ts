import { materialQuery } from '@galley/library/records'
import type {
  Answer,
  FailedSaves,
  ListeningGap,
  MaterialFacets,
  MaterialFilters,
  MaterialPage,
  MaterialRow,
  SavedView,
  SearchFound,
  UnsignedSaves,
} from '@galley/library/records'
import type { SiteId, SnapshotId } from '@galley/wire'
import { z } from 'zod'

import type { Started } from './call.ts'
import { asks, siteId, inSite, inMaterial, inMaterials } from './call.ts'

export const noFilters: MaterialFilters = {
  statuses: [],
  tags: [],
  editors: [],
  savedAfter: null,
  savedBefore: null,
  archived: false,
}

/** The numbers shown next to the sections, and what the list of materials reports. */
export interface SectionCounts {
  /** Pages whose current version is not approved. */
  readonly waiting: number
  readonly materials: number
  readonly failedSaves: FailedSaves
  readonly unsignedSaves: UnsignedSaves | null
  /** The last one in which pages of the site were being edited, with those pages; null: none, or dismissed. */
  readonly gap: ListeningGap | null
  readonly snapshots: number
}

/** An object that the palette can open. */
export type FoundObject =
  | SearchFound
  | { readonly kind: 'site'; readonly site: SiteId; readonly name: string; readonly environment: 'dev' | 'prod' }
  | { readonly kind: 'snapshot'; readonly site: SiteId; readonly snapshotId: SnapshotId; readonly receivedAt: string }

export interface FoundObjects {
  /** Best first within each kind, those of the asked site before others. */
  readonly found: readonly FoundObject[]
  /** How many stored pages are not searchable yet. */
  readonly unread: number
}

const viewSubject = z.enum(['materials', 'callbacks'])

export const materialCalls = {
  queryMaterials: asks(materialQuery).gives<MaterialPage>(),
  /** The IDs of all materials that match, in order, for "Select all". At most 20,000. */
  materialIds: asks(materialQuery.omit({ offset: true, limit: true })).gives<readonly string[]>(),
  findMaterial: asks(inMaterial).gives<MaterialRow | null>(),
  /** Of archived materials, or of all others. */
  materialFacets: asks(inSite.extend({ archived: z.boolean() })).gives<MaterialFacets>(),
  sectionCounts: asks(inSite).gives<SectionCounts>(),
  /** Objects of all sites whose name or text matches, up to `limit` of each kind; without a text, the latest materials of `site`. */
  findObjects: asks(
    z.strictObject({
      site: siteId.nullable(),
      text: z.string().max(500),
      limit: z.int().min(1).max(50),
    }),
  ).gives<FoundObjects>(),
  /**
   * Deletes materials with all their versions, for good; asks in a dialog of the system before anything is changed. Ends
   * with a PruneReport. null: it was not confirmed.
   */
  startMaterialDelete: asks(inMaterials.extend({ isDryRun: z.boolean() })).gives<Started | Answer<null>>(),
  listViews: asks(inSite).gives<readonly SavedView[]>(),
  saveView: asks(
    inSite.extend({
      view: z.strictObject({
        subject: viewSubject,
        name: z.string().max(200),
        query: z.string().max(20_000),
      }),
    }),
  ).gives<Answer<null>>(),
  removeView: asks(inSite.extend({ subject: viewSubject, name: z.string() })).gives<null>(),
}
