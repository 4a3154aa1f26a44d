import { z } from 'zod'

import type { CallbackRecord } from '../domain/callback-record.ts'
import type { CallbackId, MaterialId, SiteId, TaskId } from '../ids.ts'
import type { Outcome } from '../protocol/answer.ts'
import type { FailureCode } from '../protocol/failure.ts'
import type { Facet } from './materials.ts'
import { manyIds } from './materials.ts'
import type { Answer, Inputs, ProblemFacts } from './problem.ts'
import type { WrittenFile } from './sites.ts'

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

export interface CallbackCalls {
  /** Marks the failed saves of a site as seen on this computer, which calms their badge. */
  lookAtFailedSaves: { input: { site: SiteId }; output: null }
  /** Sets a failed save aside, with earlier ones of the same material, or takes that back. */
  dismissFailedSave: { input: { id: CallbackId; isDismissed: boolean }; output: null }
  /** Dismisses the saves of a site that are not signed with its secret. */
  dismissUnsignedSaves: { input: { site: SiteId }; output: null }
  /** Makes the header in which this callback was signed rightly the signature header of its site. */
  adoptSignatureHeader: { input: { id: CallbackId }; output: Answer<null> }
  queryCallbacks: { input: CallbackQuery; output: CallbackPage }
  /** Ignores the filters for outcome and event. */
  callbackCounts: { input: { filters: CallbackFilters }; output: CallbackCounts }
  /** `activityHours` from `since` on, ISO 8601 UTC, oldest first. null: all sites. */
  callbackActivity: { input: { site: SiteId | null; since: string }; output: readonly ActivityHour[] }
  inspectCallback: { input: { id: string }; output: Answer<CallbackDetail> }
  /** Checks a stored callback against every secret of this library. Secrets never leave main. */
  diagnoseCallback: { input: { id: string }; output: Answer<Diagnosis> }
  diagnoseValues: {
    input: { site: SiteId; materialId: MaterialId; contentUrl: string; signature: string }
    output: Answer<Diagnosis>
  }
  replayCallback: { input: { id: string; isDryRun: boolean }; output: Answer<ReplayComparison> }
  replayCallbacks: { input: { ids: readonly string[]; isDryRun: boolean }; output: Answer<{ readonly task: TaskId }> }
  /** Asks for a file and writes the matching callbacks to it, redacted. */
  exportCallbacks: { input: { filters: CallbackFilters; format: 'csv' | 'json' }; output: Answer<WrittenFile> }
  /** A text about a callback for a bug report, without secrets, signatures, e-mail addresses, IP addresses and api_keys. */
  callbackReport: { input: { id: string }; output: Answer<string> }
}

const byId = z.strictObject({ id: z.string().max(200) })

export const callbackInputs: Inputs<CallbackCalls> = {
  lookAtFailedSaves: z.strictObject({ site: z.string().max(200) }),
  dismissFailedSave: z.strictObject({ id: z.string().max(200), isDismissed: z.boolean() }),
  dismissUnsignedSaves: z.strictObject({ site: z.string().max(200) }),
  adoptSignatureHeader: byId,
  queryCallbacks: callbackQuery,
  callbackCounts: z.strictObject({ filters: callbackFilters }),
  callbackActivity: z.strictObject({ site: z.string().max(200).nullable(), since: z.iso.datetime() }),
  inspectCallback: byId,
  diagnoseCallback: byId,
  diagnoseValues: z.strictObject({
    site: z.string(),
    materialId: z.string().max(10_000),
    contentUrl: z.string().max(10_000),
    signature: z.string().max(10_000),
  }),
  replayCallback: byId.extend({ isDryRun: z.boolean() }),
  replayCallbacks: z.strictObject({ ids: manyIds, isDryRun: z.boolean() }),
  exportCallbacks: z.strictObject({ filters: callbackFilters, format: z.enum(['csv', 'json']) }),
  callbackReport: byId,
}
