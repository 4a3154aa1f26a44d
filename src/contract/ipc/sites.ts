import { z } from 'zod'

import type { Cause } from '../cause.ts'
import type { SiteProblem } from '../domain/site-input.ts'
import type { SiteSummary } from '../domain/site.ts'
import type { SiteId, TaskId } from '../ids.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { Answer, Inputs, ProblemFacts } from './problem.ts'
import { siteIdText } from './site-id.ts'

const bucketKey = z
  .string()
  .trim()
  .regex(/^\S{1,2000}$/)

/**
 * The form for adding or changing a site. The secret is only ever written, never returned. Absent members stay unchanged.
 */
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
  /** The keys of the bucket, which are never returned. null deletes them; absent keeps them. */
  bucketKeys: z.strictObject({ id: bucketKey, secret: bucketKey }).nullable().optional(),
  maxContentBytes: z.number().optional(),
  requestTimeoutMs: z.number().optional(),
  downloadTimeoutMs: z.number().optional(),
  /**
   * Whether a person allows the plain http URLs in the form. Absent: URLs that are stored or were allowed before stay
   * allowed.
   */
  allowHttp: z.boolean().optional(),
  /** null keeps the stored secret, unless `baseUrl` has changed. */
  secret: z.string().nullable(),
})

export type SiteForm = z.infer<typeof siteForm>

/** The result of checking one requirement for saves of this site. */
export interface SiteCheck {
  readonly name:
    | 'keychain'
    | 'base_url'
    | 'listener'
    | 'callback_url'
    | 'encryption'
    | 'allowed_domains'
    | 'target_write'
    | 'public_read'
    | 'font_cors'
    | 'target_delete'
    | 'clock'
    | 'disk'
  readonly ok: boolean
  /** The result as a stable code. The window has a text for each. */
  readonly code: SiteCheckCode
  readonly facts: ProblemFacts
}

export type SiteCheckCode =
  | 'secret_readable'
  | 'secret_untried'
  | 'secret_missing'
  | 'secret_changed'
  | 'keychain_locked'
  | 'keychain_unavailable'
  | 'site_unconfirmed'
  | 'service_answers'
  | 'service_failed'
  | 'service_unreached'
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
  | 'callback_private'
  | 'callback_elsewhere'
  | 'callback_unreachable'
  | 'callback_needs_secret'
  | 'callback_needs_credentials'
  | 'callback_without_secret'
  | 'callback_other_host'
  | 'callback_other_secret'
  | 'callback_other_credentials'
  | 'callback_other_site'
  | 'domain_missing'
  | 'target_written'
  | 'target_refused'
  | 'public_readable'
  | 'public_unreadable'
  | 'public_unset'
  | 'public_out_of_reach'
  | 'cors_allowed'
  | 'cors_missing'
  | 'target_deleted'
  | 'target_kept'
  | 'disk_fine'
  | 'disk_low'

/** The addresses to which a site sends signed requests, and its publishing target (`publish`, in its short form). */
export interface SiteAddresses {
  readonly baseUrl: string
  readonly callbackUrl: string
  readonly publish: string
}

/** The published files of all saves. `lost`: the paths of files that the library has lost, or whose bytes are not those that were saved. */
export interface Republished {
  readonly files: number
  readonly bytes: number
  readonly lost: readonly string[]
  /** Public paths that a folder of a web server must not have, or cannot. */
  readonly withheld: readonly string[]
}

/** A site in a file of exported sites, compared with the library. */
export interface ImportableSite {
  readonly id: string
  readonly name: string
  readonly settings: SiteAddresses
  /** The current addresses of the site with this id; null if there is none. */
  readonly replaces: SiteAddresses | null
  /** Its plain http URLs, which the file allows. */
  readonly plain: readonly string[]
  /** The invalid setting, or null. */
  readonly problem: Pick<SiteProblem, 'field' | 'reason'> | null
}

/** A file written to a path that the person chose; null if they cancelled. */
export type WrittenFile = { readonly path: string; readonly count: number } | null

export interface SiteCalls {
  listSites: { input: undefined; output: readonly SiteSummary[] }
  saveSite: { input: SiteForm; output: Answer<SiteSummary> }
  removeSite: { input: { site: SiteId }; output: Answer<null> }
  /** Runs the self-test: a probe is sent out and returns through the callback URL. Takes up to ten seconds. */
  checkSite: { input: { site: SiteId }; output: Answer<readonly SiteCheck[]> }
  /** Asks for a file and writes the settings of these sites (none: all) to it, without secrets. */
  exportSites: { input: { sites: readonly string[] }; output: Answer<WrittenFile> }
  /** Asks for a folder for the public media of a site; null if the person cancels. */
  choosePublishFolder: { input: { site: SiteId }; output: ChosenPath | null }
  /**
   * Asks a person in a system dialog to confirm a site. Until then Galley signs nothing for it, downloads nothing from it
   * and publishes nothing to its target.
   */
  confirmSite: { input: { site: SiteId }; output: Answer<SiteSummary> }
  /**
   * Publishes the media and fonts of all saves to the site's folder or bucket, as a task. Saving a site with another target
   * starts it too.
   */
  republishSite: { input: { site: SiteId }; output: Answer<{ readonly task: TaskId }> }
  /** Asks for a file and reads it. Pass it to `importSites`. null if the person cancels. */
  readSitesFile: {
    input: undefined
    output: Answer<{ readonly token: string; readonly sites: readonly ImportableSite[] } | null>
  }
  /** Imports these sites from a file, unconfirmed and without secrets. Stops at the first that cannot be stored. */
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
  republishSite: inSite,
  readSitesFile: z.undefined(),
  importSites: z.strictObject({ file: chosenToken, sites: z.array(z.string().max(200)).max(1000) }),
}

/** A finding about a publishing target. `why` is the cause of the problem. */
export interface TargetFinding {
  readonly name: Extract<SiteCheck['name'], 'target_write' | 'public_read' | 'font_cors' | 'target_delete'>
  readonly code: SiteCheckCode
  readonly ok: boolean
  readonly why: Cause | null
}
