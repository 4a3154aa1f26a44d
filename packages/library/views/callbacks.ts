import type { CallbackId, FailureCode, MaterialId, Outcome, SiteId } from '@galley/wire'
import { z } from 'zod'

import type { CallbackRecord } from '../records/callback-record.ts'
import type { Facet } from './materials.ts'
import type { ProblemFacts } from './problem.ts'

/** The time limit for a response to the service. The contract names none; typical webhook senders wait 15 to 30 seconds. */
export const callbackBudgetMs = 30_000

export const outcomes = [
  'stored',
  'duplicate',
  'refused',
  'rejected',
  'failed',
  'interrupted',
] as const satisfies readonly Outcome[]

export const callbackKinds = ['article_saved', 'site_fonts_updated', 'unknown'] as const

export const signatureStates = ['valid', 'invalid', 'missing', 'unchecked'] as const

/** A row of the callback log, ordered by `arrival`, which increases with each callback. */
export interface CallbackRow {
  readonly id: CallbackId
  readonly arrival: number
  readonly site: SiteId
  readonly receivedAt: string
  readonly kind: CallbackRecord['kind']
  readonly materialId: MaterialId | null
  readonly materialTitle: string | null
  readonly outcome: Outcome
  readonly httpStatus: number
  readonly code: FailureCode | 'interrupted' | null
  readonly signature: CallbackRecord['signature']
  /** The id of the stored version or snapshot. */
  readonly versionId: string | null
  /** Milliseconds from the arrival of the body to the response; null for callbacks of older libraries. */
  readonly durationMs: number | null
}

export const callbackFilters = z.strictObject({
  /** null: all sites, including deleted ones. */
  site: z.string().max(200).nullable(),
  outcomes: z.array(z.enum(outcomes)).max(10),
  kinds: z.array(z.enum(callbackKinds)).max(10),
  signatures: z.array(z.enum(signatureStates)).max(4),
  materialId: z.string().nullable(),
  /** Received at or after this moment, ISO 8601 UTC; null: no lower limit. */
  from: z.iso.datetime().nullable(),
  /** Received before this moment, ISO 8601 UTC; null: no upper limit. */
  to: z.iso.datetime().nullable(),
  /** Searches ids, materials, versions, addresses, codes and responses. */
  text: z.string().max(500),
})

export type CallbackFilters = z.infer<typeof callbackFilters>

export const callbackQuery = z.strictObject({
  filters: callbackFilters,
  sort: z.strictObject({ by: z.enum(['arrival', 'duration']), direction: z.enum(['up', 'down']) }),
  /** Excludes rows that arrived later, so that paging is stable; null: up to the newest. */
  upTo: z.int().nullable(),
  offset: z.int().min(0),
  limit: z.int().min(1).max(500),
})

export type CallbackQuery = z.infer<typeof callbackQuery>

export interface CallbackPage {
  readonly total: number
  readonly rows: readonly CallbackRow[]
  /** The arrival of the newest row: pass it as `upTo` for further pages. */
  readonly upTo: number
  /** The number of matching rows that arrived after `upTo`. */
  readonly newer: number
}

export interface CallbackCounts {
  readonly outcomes: readonly Facet[]
  readonly kinds: readonly Facet[]
}

/** The hours in the activity chart of the callback log, including the current one. */
export const activityHours = 24

/** The counts of one hour. */
export interface ActivityHour {
  readonly total: number
  /** Refused, rejected, failed or interrupted callbacks. */
  readonly notStored: number
}

/** A request header for display; null for a value that is not stored. */
export interface ShownHeader {
  readonly name: string
  readonly value: string | null
}

/** The details of a callback, without secrets. */
export interface CallbackDetail {
  readonly callback: CallbackRecord
  readonly row: CallbackRow
  /** The time limit for all steps together: `callbackBudgetMs`. */
  readonly budgetMs: number
  readonly totalMs: number
  readonly request: {
    readonly headers: readonly ShownHeader[]
    /** The body as JSON text with likely secrets hidden; null if it was not stored. */
    readonly body: string | null
    readonly bodyBytes: number | null
    /** The members covered by the signature. All others are not authenticated. */
    readonly signedMembers: readonly ['material_id', 'content_url']
  }
  /** Facts for the text of `code`; empty if the callback was stored. */
  readonly facts: ProblemFacts
  readonly siteExists: boolean
  /** Whether it is signed rightly in a header that could become the site's, and is not yet. */
  readonly canAdoptHeader: boolean
  /** Whether it is a failed save that still counts: no later one was stored, and nobody dismissed it. */
  readonly isOpenFailure: boolean
  /** Whether the data for a replay is stored. */
  readonly canReplay: boolean
}

/** A finding of the signature doctor. Findings are sorted by relevance. */
export type SignatureFinding =
  | { readonly code: 'matches' }
  | { readonly code: 'no_signature' }
  /** The signature is valid, but it is in another header than the one of the site. */
  | { readonly code: 'other_header'; readonly header: string }
  /** The signature is not 64 hex digits. */
  | { readonly code: 'not_a_signature'; readonly length: number }
  | { readonly code: 'blanks' }
  | { readonly code: 'upper_case' }
  /** Two headers were joined into one. */
  | { readonly code: 'several' }
  | { readonly code: 'other_site_secret'; readonly site: SiteId }
  /** The signature was computed for a different spelling of the URL. */
  | { readonly code: 'changed_url'; readonly how: UrlChange }
  | { readonly code: 'changed_material'; readonly how: 'blanks' | 'case' | 'empty' }
  /** It is the signature of session/open, for the callback URL. */
  | { readonly code: 'open_signature' }
  | { readonly code: 'wrong_secret' }
  | { readonly code: 'secret_unavailable'; readonly site: SiteId }
  /** The log does not have enough data about this callback. */
  | { readonly code: 'not_kept' }

export type UrlChange =
  | 'trailing_slash'
  | 'scheme'
  | 'query'
  | 'fragment'
  | 'decoded'
  | 'encoded'
  | 'case'
  | 'port'
  | 'blanks'
  | 'download_query'

export interface Diagnosis {
  readonly findings: readonly SignatureFinding[]
  /** Whether the signature, without the harmless problems in `findings`, matches the current secret of the site. */
  readonly wouldPass: boolean
}

/** The result of a callback, at its arrival or in a replay. */
export interface ReplayEnd {
  readonly outcome: Outcome
  readonly code: FailureCode | 'interrupted' | null
  readonly rm: string
  /** The id of the stored version or snapshot. */
  readonly versionId: string | null
}

export interface ReplayComparison {
  readonly id: CallbackId
  readonly isDryRun: boolean
  readonly before: ReplayEnd
  readonly after: ReplayEnd
}
