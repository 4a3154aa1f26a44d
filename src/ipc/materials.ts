import { idText, materialQuery, siteIdText, titleMaxChars } from '@galley/library/records'
import type {
  Answer,
  FailedSaves,
  ListeningGap,
  MaterialFacets,
  MaterialFilters,
  MaterialPage,
  MaterialQuery,
  MaterialRow,
  SavedView,
  SearchHit,
  UnsignedSaves,
} from '@galley/library/records'
import type { MaterialId, SiteId, SnapshotId, TaskId } from '@galley/wire'
import { z } from 'zod'

import type { Inputs } from './problem.ts'
import { inSite } from './sites.ts'

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
  readonly materials: number
  readonly callbacks: number
  readonly failedSaves: FailedSaves
  readonly unsignedSaves: UnsignedSaves | null
  /** The last one in which pages of the site were being edited, with those pages; null: none, or dismissed. */
  readonly gap: ListeningGap | null
  readonly snapshots: number
}

/** An object that the palette can open. */
export type FoundObject =
  | {
      readonly kind: 'material'
      readonly site: SiteId
      readonly materialId: MaterialId
      readonly title: string
      readonly hit: SearchHit | null
    }
  | { readonly kind: 'site'; readonly site: SiteId; readonly name: string; readonly environment: 'dev' | 'prod' }
  | { readonly kind: 'snapshot'; readonly site: SiteId; readonly snapshotId: SnapshotId; readonly receivedAt: string }
  | { readonly kind: 'callback'; readonly site: SiteId; readonly id: string; readonly receivedAt: string }

export interface MaterialCalls {
  queryMaterials: { input: MaterialQuery; output: MaterialPage }
  /** The IDs of all materials that match, in order, for "Select all". At most 20,000. */
  materialIds: { input: Omit<MaterialQuery, 'offset' | 'limit'>; output: readonly string[] }
  findMaterial: { input: { site: SiteId; materialId: MaterialId }; output: MaterialRow | null }
  /** Of archived materials, or of all others. */
  materialFacets: { input: { site: SiteId; archived: boolean }; output: MaterialFacets }
  sectionCounts: { input: { site: SiteId }; output: SectionCounts }
  /** Objects whose name or text matches, best first; without a text, the most recent ones. */
  findObjects: { input: { site: SiteId | null; text: string; limit: number }; output: readonly FoundObject[] }
  renameMaterial: {
    input: { site: SiteId; materialId: MaterialId; title: string; slug: string }
    output: Answer<MaterialRow>
  }
  /** Adds and removes tags of all these materials at once. */
  tagMaterials: {
    input: { site: SiteId; materialIds: readonly MaterialId[]; add: readonly string[]; remove: readonly string[] }
    output: Answer<null>
  }
  /** Archives materials, or brings them back. */
  archiveMaterials: {
    input: { site: SiteId; materialIds: readonly MaterialId[]; isArchived: boolean }
    output: Answer<null>
  }
  /**
   * Deletes materials with all their versions, for good; asks in a dialog of the system before anything is changed. Ends
   * with a PruneReport. null: it was not confirmed.
   */
  startMaterialDelete: {
    input: { site: SiteId; materialIds: readonly MaterialId[]; isDryRun: boolean }
    output: Answer<{ readonly task: TaskId } | null>
  }
  listViews: { input: { site: SiteId }; output: readonly SavedView[] }
  saveView: { input: { site: SiteId; view: SavedView }; output: Answer<null> }
  removeView: { input: { site: SiteId; subject: SavedView['subject']; name: string }; output: null }
}

export const inMaterial = z.strictObject({ site: siteIdText, materialId: idText.min(1) })

/** Ids that the log takes: no other one names anything in a library. */
export const manyIds = z.array(idText).max(20_000)

const tagList = z.array(z.string().max(200)).max(50)

const viewSubject = z.enum(['materials', 'callbacks'])

export const materialInputs: Inputs<MaterialCalls> = {
  queryMaterials: materialQuery,
  materialIds: materialQuery.omit({ offset: true, limit: true }),
  findMaterial: inMaterial,
  materialFacets: inSite.extend({ archived: z.boolean() }),
  sectionCounts: inSite,
  findObjects: z.strictObject({
    site: siteIdText.nullable(),
    text: z.string().max(500),
    limit: z.int().min(1).max(50),
  }),
  renameMaterial: z.strictObject({
    site: siteIdText,
    materialId: z.string(),
    title: z.string().max(titleMaxChars),
    slug: z.string().max(500),
  }),
  tagMaterials: z.strictObject({ site: siteIdText, materialIds: manyIds, add: tagList, remove: tagList }),
  archiveMaterials: z.strictObject({ site: siteIdText, materialIds: manyIds, isArchived: z.boolean() }),
  startMaterialDelete: z.strictObject({ site: siteIdText, materialIds: manyIds, isDryRun: z.boolean() }),
  listViews: inSite,
  saveView: z.strictObject({
    site: siteIdText,
    view: z.strictObject({
      subject: viewSubject,
      name: z.string().max(200),
      query: z.string().max(20_000),
    }),
  }),
  removeView: z.strictObject({ site: siteIdText, subject: viewSubject, name: z.string() }),
}
