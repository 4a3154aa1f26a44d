import type { Cause } from '../cause.ts'
import { z } from 'zod'

import type { SiteSummary } from '../domain/site.ts'
import type { SiteProblem } from '../domain/site-input.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { Answer, Inputs, ProblemFacts } from './problem.ts'
import { siteIdText } from './site-id.ts'

const bucketKey = z
  .string()
  .trim()
  .regex(/^\S{1,2000}$/)

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
  /** `listener`, `s3:BUCKET/PREFIX`, or a folder from `choosePublishFolder`. */
  publish: z
    .union([
      z
        .string()
        .max(2000)
        .regex(/^(listener$|s3:)/),
      z.strictObject({ folder: chosenToken }),
    ])
    .optional(),
  s3Endpoint: z.string().max(2000).nullable().optional(),
  s3Region: z.string().max(200).nullable().optional(),
  publicCheck: z.enum(['on', 'off']).optional(),
  /** The keys of its bucket, which never come out again; null forgets them, left out they stay. */
  bucketKeys: z.strictObject({ id: bucketKey, secret: bucketKey }).nullable().optional(),
  maxContentBytes: z.number().optional(),
  requestTimeoutMs: z.number().optional(),
  downloadTimeoutMs: z.number().optional(),
  /** Whether a person allows the plain http addresses in it; left out, those that are stored or were allowed before stay. */
  allowHttp: z.boolean().optional(),
  /** null keeps the stored secret, unless `baseUrl` is another one now. */
  secret: z.string().nullable(),
})

export type SiteForm = z.infer<typeof siteForm>

/** One thing a save of this site depends on, looked at just now. */
export interface SiteCheck {
  readonly name:
    | 'keychain'
    | 'base_url'
    | 'listener'
    | 'callback_url'
    | 'encryption'
    | 'target_write'
    | 'public_read'
    | 'font_cors'
    | 'target_delete'
    | 'clock'
    | 'disk'
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
  | 'site_unconfirmed'
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
  | 'target_written'
  | 'target_refused'
  | 'public_readable'
  | 'public_unreadable'
  | 'public_unset'
  | 'cors_allowed'
  | 'cors_missing'
  | 'target_deleted'
  | 'target_kept'
  | 'disk_fine'
  | 'disk_low'

/** Where a site sends what it signs, and where its media become public; `publish` in its short form. */
export interface SiteAddresses {
  readonly baseUrl: string
  readonly callbackUrl: string
  readonly publish: string
}

/** A site as a file of exported sites has it, held against the library. */
export interface ImportableSite {
  readonly id: string
  readonly name: string
  readonly settings: SiteAddresses
  /** What the site of this id uses now; null: there is none. */
  readonly replaces: SiteAddresses | null
  /** Its plain http addresses, which the file allows. */
  readonly plain: readonly string[]
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
  /** Asks for a folder to publish the media of a site to; null: nothing chosen. */
  choosePublishFolder: { input: { site: string }; output: ChosenPath | null }
  /**
   * Asks a person, by a dialog of the system, whether an unconfirmed site may be used; until then nothing is signed for it,
   * downloaded from it or published to its target.
   */
  confirmSite: { input: { site: string }; output: Answer<SiteSummary> }
  /** Asks for a file and reads it; `importSites` takes sites from it. null: nothing chosen. */
  readSitesFile: {
    input: undefined
    output: Answer<{ readonly token: string; readonly sites: readonly ImportableSite[] } | null>
  }
  /** Writes these sites of a file that was read, unconfirmed and without a secret, until one cannot be written. */
  importSites: { input: { file: string; sites: readonly string[] }; output: Answer<null> }
}

export const inSite = z.strictObject({ site: siteIdText })

export const siteInputs: Inputs<SiteCalls> = {
  listSites: z.undefined(),
  saveSite: siteForm,
  removeSite: inSite,
  checkSite: inSite,
  exportSites: z.strictObject({ sites: z.array(z.string()).max(1000) }),
  choosePublishFolder: inSite,
  confirmSite: inSite,
  readSitesFile: z.undefined(),
  importSites: z.strictObject({ file: chosenToken, sites: z.array(z.string().max(200)).max(1000) }),
}

/** What was found out about a publishing target; `why` is the cause of what is wrong. */
export interface TargetFinding {
  readonly name: Extract<SiteCheck['name'], 'target_write' | 'public_read' | 'font_cors' | 'target_delete'>
  readonly code: SiteCheckCode
  readonly ok: boolean
  readonly why: Cause | null
}
