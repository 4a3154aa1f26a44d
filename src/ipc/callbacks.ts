import type {
  ActivityHour,
  Answer,
  CallbackCounts,
  CallbackDetail,
  CallbackFilters,
  CallbackPage,
  CallbackQuery,
  Diagnosis,
  ReplayComparison,
} from '@galley/library/records'
import { callbackFilters, callbackQuery } from '@galley/library/records'
import type { CallbackId, MaterialId, SiteId, TaskId } from '@galley/wire'
import { z } from 'zod'

import { manyIds } from './materials.ts'
import type { Inputs } from './problem.ts'
import type { WrittenFile } from './sites.ts'

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
