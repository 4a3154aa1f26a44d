import type { Cause } from '@galley/wire'
import { z } from 'zod'

import { chosenToken } from './chosen-path.ts'
import type { ProblemFacts } from './problem.ts'

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

/** The published files of all saves. `lost`: the paths of files that the library has lost, or whose bytes are not those that were saved. */
export interface Republished {
  readonly files: number
  readonly bytes: number
  readonly lost: readonly string[]
  /** Public paths that a folder of a web server must not have, or cannot. */
  readonly withheld: readonly string[]
}

/** A finding about a publishing target. `why` is the cause of the problem. */
export interface TargetFinding {
  readonly name: Extract<SiteCheck['name'], 'target_write' | 'public_read' | 'font_cors' | 'target_delete'>
  readonly code: SiteCheckCode
  readonly ok: boolean
  readonly why: Cause | null
}
