import type {
  ActivityHour,
  Answer,
  CallbackCounts,
  CallbackDetail,
  CallbackPage,
  Diagnosis,
  ReplayComparison,
} from '@galley/library/records'
import { callbackFilters, callbackQuery } from '@galley/library/records'
import { z } from 'zod'

import type { Started } from './call.ts'
import { asks, callbackId, inSite, manyIds, siteId } from './call.ts'
import type { WrittenFile } from './sites.ts'

const byId = z.strictObject({ id: callbackId })

export const callbackCalls = {
  /** Marks the failed saves of a site as seen on this computer, which calms their badge. */
  lookAtFailedSaves: asks(inSite).gives<null>(),
  /** Sets a failed save aside, with earlier ones of the same material, or takes that back. */
  dismissFailedSave: asks(byId.extend({ isDismissed: z.boolean() })).gives<null>(),
  /** Dismisses the saves of a site that are not signed with its secret. */
  dismissUnsignedSaves: asks(inSite).gives<null>(),
  /** Makes the header in which this callback was signed rightly the signature header of its site. */
  adoptSignatureHeader: asks(byId).gives<Answer<null>>(),
  queryCallbacks: asks(callbackQuery).gives<CallbackPage>(),
  /** Ignores the filters for outcome and event. */
  callbackCounts: asks(z.strictObject({ filters: callbackFilters })).gives<CallbackCounts>(),
  /** `activityHours` from `since` on, ISO 8601 UTC, oldest first. null: all sites. */
  callbackActivity: asks(z.strictObject({ site: siteId.nullable(), since: z.iso.datetime() })).gives<
    readonly ActivityHour[]
  >(),
  inspectCallback: asks(byId).gives<Answer<CallbackDetail>>(),
  /** Checks a stored callback against every secret of this library. Secrets never leave main. */
  diagnoseCallback: asks(byId).gives<Answer<Diagnosis>>(),
  diagnoseValues: asks(
    inSite.extend({
      materialId: z.string().max(10_000),
      contentUrl: z.string().max(10_000),
      signature: z.string().max(10_000),
    }),
  ).gives<Answer<Diagnosis>>(),
  replayCallback: asks(byId.extend({ isDryRun: z.boolean() })).gives<Answer<ReplayComparison>>(),
  replayCallbacks: asks(z.strictObject({ ids: manyIds, isDryRun: z.boolean() })).gives<Started>(),
  /** Asks for a file and writes the matching callbacks to it, redacted. */
  exportCallbacks: asks(z.strictObject({ filters: callbackFilters, format: z.enum(['csv', 'json']) })).gives<
    Answer<WrittenFile>
  >(),
  /** A text about a callback for a bug report, without secrets, signatures, e-mail addresses, IP addresses and api_keys. */
  callbackReport: asks(byId).gives<Answer<string>>(),
}
