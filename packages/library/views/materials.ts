import type { CallbackId, FailureCode, MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import type { MaterialSession } from '../records/material.ts'
import { decisions } from '../records/outgoing.ts'
import type { ProblemFacts } from './problem.ts'
import { siteIdText } from './site-id.ts'

/**
 * `unsaved`: opened, but not saved yet. `saved`: its current version has no verdict. `approved`, `changes_requested`: the verdict of
 * its current version.
 */
export const materialStatuses = ['unsaved', 'saved', ...decisions] as const

export type MaterialStatus = (typeof materialStatuses)[number]

/** What a list can be narrowed to: `save_failed` has the materials whose last save failed, whatever their status. */
export const statusFilters = [...materialStatuses, 'save_failed'] as const

/** A signed save that was not stored, and that counts until a later one is stored or a person dismisses it. */
export interface FailedSave {
  readonly callback: CallbackId
  /** ISO 8601 UTC. */
  readonly at: string
  readonly code: FailureCode | 'interrupted'
  /** Facts for the text of `code`. */
  readonly facts: ProblemFacts
}

/** A stored file that can be shown, by `storedFileUrl`. */
export interface StoredFile {
  readonly sha256: Sha256
  readonly name: string
}

/** A part of a searched text. */
export interface TextPiece {
  readonly text: string
  readonly isHit: boolean
}

/** Where a search found its words. */
export interface SearchHit {
  readonly title: readonly TextPiece[]
  readonly materialId: readonly TextPiece[]
  /** Some words of the page around the first hits; empty when the page itself has none. */
  readonly excerpt: readonly TextPiece[]
}

/** One row of the table of materials; times in ISO 8601 UTC, sizes in bytes. */
export interface MaterialRow {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string
  readonly slug: string
  readonly status: MaterialStatus
  readonly savedAt: string | null
  readonly savedBy: string | null
  readonly versions: number
  readonly currentVersionId: VersionId | null
  /** The size of all versions. A file that several versions share counts once for each. */
  readonly totalBytes: number
  readonly tags: readonly string[]
  /** `keptUntil` is a lower bound: rollback is kept at least until then. */
  readonly session: MaterialSession | null
  /** The first image of the current version. */
  readonly thumbnail: StoredFile | null
  /** Whether a rule of this site refuses saves of this material. */
  readonly isRefused: boolean
  /** Its last save, if that failed and nobody dismissed it. */
  readonly failedSave: FailedSave | null
  /** When it was archived, so that lists, searches and exports leave it out; null: not archived. */
  readonly archivedAt: string | null
  /** null without a search text. */
  readonly hit: SearchHit | null
  /** Fields whose values were set on this computer and wait for the bucket of the team. */
  readonly waiting?: readonly ('title' | 'slug' | 'tags' | 'archivedAt' | 'status')[]
}

export const materialFilters = z.strictObject({
  statuses: z.array(z.enum(statusFilters)).max(10),
  /** A material must have all of them. */
  tags: z.array(z.string().max(200)).max(50),
  /** One of them saved the current version. */
  editors: z.array(z.string().max(500)).max(50),
  savedAfter: z.iso.datetime({ offset: true }).nullable(),
  savedBefore: z.iso.datetime({ offset: true }).nullable(),
  /** True: archived materials only. False: all others. */
  archived: z.boolean(),
})

/** The filters of the table. Empty lists and nulls do not filter. */
export type MaterialFilters = z.infer<typeof materialFilters>

export const materialOrders = [
  'saved',
  'title',
  'materialId',
  'status',
  'editor',
  'versions',
  'size',
  'relevance',
] as const

/** `relevance` needs a search text; without one, it sorts like `saved`. */
export const materialSort = z.strictObject({ by: z.enum(materialOrders), direction: z.enum(['up', 'down']) })

export type MaterialSort = z.infer<typeof materialSort>

export const materialQuery = z.strictObject({
  site: siteIdText,
  text: z.string().max(1000),
  filters: materialFilters,
  sort: materialSort,
  offset: z.int().min(0),
  limit: z.int().min(1).max(500),
})

export type MaterialQuery = z.infer<typeof materialQuery>

export interface MaterialPage {
  /** The number of all matching materials. */
  readonly total: number
  readonly rows: readonly MaterialRow[]
}

export interface Facet {
  readonly value: string
  readonly count: number
}

/** The available filter values of a site, most frequent first. */
export interface MaterialFacets {
  readonly statuses: readonly Facet[]
  readonly tags: readonly Facet[]
  /** Of current versions; the 200 most frequent. */
  readonly editors: readonly Facet[]
  /** How many are archived. */
  readonly archived: number
}

/** Failed saves of a site without a later successful save that nobody dismissed. */
export interface FailedSaves {
  readonly count: number
  /** Those that came after a person last looked at Callbacks. */
  readonly unseen: number
  readonly newest: {
    readonly id: CallbackId
    readonly receivedAt: string
    readonly materialId: MaterialId | null
    /** null if the library does not have the material. */
    readonly title: string | null
  } | null
}

/** Saves that seem to come from the service of a site, but are not signed with the site's secret. */
export interface UnsignedSaves {
  readonly count: number
  /** The first of them, ISO 8601 UTC. */
  readonly since: string
  /** The last callback of them. */
  readonly newest: CallbackId
  /** The header in which that one is signed rightly, if it is. */
  readonly signedIn: string | null
}

/** A time when no saves arrived, and the pages that were opened in the editor in the day before. */
export interface ListeningGap {
  readonly kind: 'asleep' | 'closed'
  /** ISO 8601 UTC, like `to`. */
  readonly from: string
  readonly to: string
  readonly pages: readonly { readonly site: SiteId; readonly title: string }[]
}

/** A named query. `query` is JSON text in the form of its section. */
export interface SavedView {
  readonly subject: 'materials' | 'callbacks'
  readonly name: string
  readonly query: string
}
