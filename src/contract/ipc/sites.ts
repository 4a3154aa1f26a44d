import { z } from 'zod'

import type { SiteSummary } from '../site.ts'
import type { SiteProblem } from '../site-input.ts'
import type { Answer, Inputs, ProblemFacts } from './problem.ts'

/** What a person types to add or change a site; the secret goes in and never comes out. What is left out stays as it is. */
export const siteForm = z.strictObject({
  id: z.string(),
  name: z.string(),
  environment: z.enum(['dev', 'prod']),
  baseUrl: z.string(),
  apiKey: z.string(),
  callbackUrl: z.string(),
  publicUrl: z.string().nullable(),
  allowedDomains: z.array(z.string()),
  unknownMaterials: z.enum(['refuse', 'accept']),
  callbackAuth: z.enum(['none', 'basic', 'bearer']),
  downloadOrigins: z.array(z.string()).optional(),
  signatureHeader: z.string().optional(),
  /** `listener`, `folder:DIR` or `s3:BUCKET/PREFIX`. */
  publish: z.string().optional(),
  maxContentBytes: z.number().optional(),
  requestTimeoutMs: z.number().optional(),
  downloadTimeoutMs: z.number().optional(),
  /** Whether a person allows the plain http addresses in it; left out, those that are stored or were allowed before stay. */
  allowHttp: z.boolean().optional(),
  /** null keeps the stored secret. */
  secret: z.string().nullable(),
})

export type SiteForm = z.infer<typeof siteForm>

/** One thing a save of this site depends on, looked at just now. */
export interface SiteCheck {
  readonly name: 'keychain' | 'base_url' | 'listener' | 'callback_url' | 'encryption' | 'clock' | 'disk'
  readonly ok: boolean
  /** What was found, as a stable word: the window has a sentence for each. */
  readonly code: SiteCheckCode
  readonly facts: ProblemFacts
}

export type SiteCheckCode =
  | 'secret_readable'
  | 'secret_missing'
  | 'secret_changed'
  | 'keychain_locked'
  | 'keychain_unavailable'
  | 'service_answers'
  | 'service_failed'
  | 'service_silent'
  | 'service_private'
  | 'http_allowed'
  | 'http_unconfirmed'
  | 'clock_agrees'
  | 'clock_off'
  | 'clock_unknown'
  | 'listener_runs'
  | 'listener_free'
  | 'listener_failed'
  | 'callback_reached'
  | 'callback_elsewhere'
  | 'callback_unreachable'
  | 'callback_needs_secret'
  | 'disk_fine'
  | 'disk_low'

/** A site as a file of exported sites has it, held against the library. */
export interface ImportableSite {
  readonly form: SiteForm
  readonly isKnown: boolean
  /** Which setting cannot be used, or null. */
  readonly problem: Omit<SiteProblem, 'kind'> | null
}

/** A file that was written, where the person chose to have it; null when nothing was chosen. */
export type WrittenFile = { readonly path: string; readonly count: number } | null

export interface SiteCalls {
  listSites: { input: undefined; output: readonly SiteSummary[] }
  saveSite: { input: SiteForm; output: Answer<SiteSummary> }
  removeSite: { input: { site: string }; output: Answer<null> }
  /** The self-test; a probe goes out and comes back through the callback URL. Takes up to ten seconds. */
  checkSite: { input: { site: string }; output: Answer<readonly SiteCheck[]> }
  /** Asks where to write the settings of these sites (none: all), without secrets. */
  exportSites: { input: { sites: readonly string[] }; output: Answer<WrittenFile> }
  /** Asks for a file and reads it; the window saves those that the person ticks by `saveSite`. null: nothing chosen. */
  readSitesFile: { input: undefined; output: Answer<readonly ImportableSite[] | null> }
}

export const inSite = z.strictObject({ site: z.string().max(200) })

export const siteInputs: Inputs<SiteCalls> = {
  listSites: z.undefined(),
  saveSite: siteForm,
  removeSite: inSite,
  checkSite: inSite,
  exportSites: z.strictObject({ sites: z.array(z.string()).max(1000) }),
  readSitesFile: z.undefined(),
}
