import { z } from 'zod'

import type { Outcome } from '../protocol/answer.ts'
import type { CallbackRecord } from '../domain/callback-record.ts'
import type { FailureCode } from '../protocol/failure.ts'
import type { CallbackId, TaskId } from '../ids.ts'
import type { Facet } from './materials.ts'
import { manyIds } from './materials.ts'
import type { Answer, Inputs, ProblemFacts } from './problem.ts'
import type { WrittenFile } from './sites.ts'

/** Within this the service has its answer: nothing says how long it waits, webhook senders allow 15 to 30 seconds. */
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
export const signatureStates = ['valid', 'invalid', 'missing'] as const

/** One row of the log; `arrival` grows with each callback and orders them. */
export interface CallbackRow {
  readonly id: CallbackId
  readonly arrival: number
  readonly site: string
  readonly receivedAt: string
  readonly kind: CallbackRecord['kind']
  readonly materialId: string | null
  readonly materialTitle: string | null
  readonly outcome: Outcome
  readonly httpStatus: number
  readonly code: FailureCode | 'interrupted' | null
  readonly signature: CallbackRecord['signature']
  readonly versionId: string | null
  /** From the arrival of the body to the answer; null for callbacks of older libraries. */
  readonly durationMs: number | null
}

export const callbackFilters = z.strictObject({
  /** null: of all sites, also of those that do not exist. */
  site: z.string().max(200).nullable(),
  outcomes: z.array(z.enum(outcomes)).max(10),
  kinds: z.array(z.enum(callbackKinds)).max(10),
  signatures: z.array(z.enum(signatureStates)).max(3),
  materialId: z.string().nullable(),
  /** Received at this moment or later, ISO 8601 in UTC; null: from the first one on. */
  from: z.iso.datetime().nullable(),
  /** Received before this moment; null: to the last one. */
  to: z.iso.datetime().nullable(),
  /** Part of an id, material, version, address, code or answer. */
  text: z.string().max(500),
})
export type CallbackFilters = z.infer<typeof callbackFilters>

export const callbackQuery = z.strictObject({
  filters: callbackFilters,
  sort: z.strictObject({ by: z.enum(['arrival', 'duration']), direction: z.enum(['up', 'down']) }),
  /** Rows that came later are left out, so that a list stands still while it is read; null: up to the newest. */
  upTo: z.int().nullable(),
  offset: z.int().min(0),
  limit: z.int().min(1).max(500),
})
export type CallbackQuery = z.infer<typeof callbackQuery>

export interface CallbackPage {
  readonly total: number
  readonly rows: readonly CallbackRow[]
  /** The arrival of the newest row that counts: the `upTo` of further pages. */
  readonly upTo: number
  /** How many fit and came after `upTo`. */
  readonly newer: number
}

export interface CallbackCounts {
  readonly outcomes: readonly Facet[]
  readonly kinds: readonly Facet[]
}

/** How many hours the small chart of the log looks back, the present one among them. */
export const activityHours = 24

/** One hour of the log. */
export interface ActivityHour {
  readonly total: number
  /** Those that were not stored: refused, rejected, failed or interrupted. */
  readonly notStored: number
}

/** A header of the request as it may be shown; null stands for a value that is not kept. */
export interface ShownHeader {
  readonly name: string
  readonly value: string | null
}

/** Everything about one callback that may be shown. */
export interface CallbackDetail {
  readonly callback: CallbackRecord
  readonly row: CallbackRow
  /** The time its steps may take together: `callbackBudgetMs`. */
  readonly budgetMs: number
  readonly totalMs: number
  readonly request: {
    readonly headers: readonly ShownHeader[]
    /** The body as JSON text, what looks like a secret hidden; null when it was not kept. */
    readonly body: string | null
    readonly bodyBytes: number | null
    /** The members that the signature covers; everything else may be anybody's. */
    readonly signedMembers: readonly ['material_id', 'content_url']
  }
  /** Facts of the failure for the sentence that explains `code`; empty when it was stored. */
  readonly facts: ProblemFacts
  readonly siteExists: boolean
  /** Whether a replay finds what it starts from. */
  readonly canReplay: boolean
}

/** What the signature doctor found; most telling first. */
export type SignatureFinding =
  | { readonly code: 'matches' }
  | { readonly code: 'no_signature' }
  /** The text is not 64 hex digits. */
  | { readonly code: 'not_a_signature'; readonly length: number }
  | { readonly code: 'blanks' }
  | { readonly code: 'upper_case' }
  /** Two headers arrived as one. */
  | { readonly code: 'several' }
  | { readonly code: 'other_site_secret'; readonly site: string }
  /** It was computed over another spelling of the address. */
  | { readonly code: 'changed_url'; readonly how: UrlChange }
  | { readonly code: 'changed_material'; readonly how: 'blanks' | 'case' | 'empty' }
  /** It is the signature of session/open: over the callback URL. */
  | { readonly code: 'open_signature' }
  | { readonly code: 'wrong_secret' }
  | { readonly code: 'secret_unavailable'; readonly site: string }
  /** The log has too little of this callback to go by. */
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
  /** Whether the signature, cleaned of what `findings` name as harmless, is that of this site's present secret. */
  readonly wouldPass: boolean
}

/** How a callback ended, then or now. */
export interface ReplayEnd {
  readonly outcome: Outcome
  readonly code: FailureCode | 'interrupted' | null
  readonly rm: string
  readonly versionId: string | null
}

export interface ReplayComparison {
  readonly id: CallbackId
  readonly isDryRun: boolean
  readonly before: ReplayEnd
  readonly after: ReplayEnd
}

/** Saves of a site that failed, that no later save made good and that nobody has looked at yet. */
export interface FailedSaves {
  readonly count: number
  readonly newest: {
    readonly id: CallbackId
    readonly receivedAt: string
    readonly materialId: string | null
    /** Null where the library does not know the material. */
    readonly title: string | null
  } | null
}

export interface CallbackCalls {
  /** Somebody looks at the callbacks of a site: its failed saves are known from now on, on this machine. */
  lookAtFailedSaves: { input: { site: string }; output: null }
  queryCallbacks: { input: CallbackQuery; output: CallbackPage }
  /** Without regard to outcome and event. */
  callbackCounts: { input: { filters: CallbackFilters }; output: CallbackCounts }
  /** The `activityHours` from `since` on, ISO 8601 in UTC, oldest first; null: of all sites. */
  callbackActivity: { input: { site: string | null; since: string }; output: readonly ActivityHour[] }
  inspectCallback: { input: { id: string }; output: Answer<CallbackDetail> }
  /** Holds a stored callback against every secret of this library; secrets never leave main. */
  diagnoseCallback: { input: { id: string }; output: Answer<Diagnosis> }
  diagnoseValues: {
    input: { site: string; materialId: string; contentUrl: string; signature: string }
    output: Answer<Diagnosis>
  }
  replayCallback: { input: { id: string; isDryRun: boolean }; output: Answer<ReplayComparison> }
  replayCallbacks: { input: { ids: readonly string[]; isDryRun: boolean }; output: Answer<{ readonly task: TaskId }> }
  /** Asks where to write what the filters leave, redacted. */
  exportCallbacks: { input: { filters: CallbackFilters; format: 'csv' | 'json' }; output: Answer<WrittenFile> }
  /** A text about one callback for a bug report: no secret, signature, e-mail, IP or api_key in it. */
  callbackReport: { input: { id: string }; output: Answer<string> }
}

const byId = z.strictObject({ id: z.string().max(200) })

export const callbackInputs: Inputs<CallbackCalls> = {
  lookAtFailedSaves: z.strictObject({ site: z.string().max(200) }),
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
