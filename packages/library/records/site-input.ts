import { asciiDomain, defaultSignatureHeader, fail, ok, siteIdForm } from '@galley/wire'
import type { Result } from '@galley/wire'
import { z } from 'zod'

import type { PublishTarget, Site } from './site.ts'

/** An invalid setting of a site, and the problem. */
export interface SiteProblem {
  readonly code: 'invalid_site'
  readonly field: string
  /** The field, or `plain_http`: valid, but only if a person allows it. */
  readonly state: string
  readonly problem: string
}

const httpUrl = (label: string) =>
  z.string().transform((input, context) => {
    const text = input.trim()
    const url = URL.canParse(text) ? new URL(text) : null
    const usable =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      url.username === '' &&
      url.password === '' &&
      url.search === '' &&
      url.hash === '' &&
      // Public URLs are written into pages unescaped, so they must not contain special characters.
      /^[A-Za-z0-9\-._~:/%[\]]+$/.test(url.href)
    if (!usable) {
      context.addIssue({
        code: 'custom',
        message: `${label} must be an http or https URL without a user name, query or fragment`,
      })
      return z.NEVER
    }
    // Keeps the typed form if it is unambiguous, otherwise normalizes it like a browser, so that the validated text is the
    // one that is used.
    const isPlain = /^https?:\/\/[A-Za-z0-9[][A-Za-z0-9\-._~:/%[\]]*$/.test(text)
    return (isPlain ? text : url.href).replace(/\/+$/, '')
  })

const publishTarget = z.string().transform((text, context): PublishTarget => {
  const [, directory] = /^folder:(.+)$/.exec(text) ?? []
  const [, bucket, prefix = ''] = /^s3:([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(text) ?? []
  if (text === 'listener') return { kind: 'listener' }
  if (directory !== undefined) return { kind: 'folder', directory }
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') }
  context.addIssue({ code: 'custom', message: 'publish must be listener, folder:DIR or s3:BUCKET/PREFIX' })
  return z.NEVER
})

/** A host whose URLs a site may answer with; subdomains count. */
export const allowedDomain = z
  .string()
  .transform(asciiDomain)
  .pipe(
    z
      .string()
      .regex(
        /^(\*?\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/i,
        'an allowed domain must be a host name without scheme or port',
      ),
  )

/** Callback headers with another meaning. */
const takenHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'transfer-encoding',
])

/** The name of the header that carries signatures. */
export const signatureHeader = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/, 'the signature header must contain only letters, digits and hyphens')
  .refine((name) => !takenHeaders.has(name.toLowerCase()), 'this header is reserved: use another name')

const siteFields = z.strictObject({
  id: z
    .string()
    .regex(
      siteIdForm,
      'the ID must be 1 to 63 letters, digits, dots, underscores or hyphens, and start with a letter or digit',
    ),
  name: z.string().trim().min(1, 'the name is empty').max(200, 'the name is longer than 200 characters'),
  environment: z.enum(['dev', 'prod'], 'environment must be dev or prod'),
  baseUrl: httpUrl('the base URL'),
  apiKey: z.string().trim().min(1, 'the API key is empty').max(500, 'the API key is too long'),
  callbackUrl: httpUrl('the callback URL'),
  publicUrl: httpUrl('the public URL').nullable(),
  allowedDomains: z.array(allowedDomain),
  downloadOrigins: z.array(
    httpUrl('a download address').refine((url) => new URL(url).pathname === '/', {
      message: 'a download origin must be a scheme and host, with an optional port, for example https://files.example',
      when: ({ issues }) => issues.length === 0,
    }),
  ),
  signatureHeader,
  publish: publishTarget,
  /** The endpoint of a bucket; null: from the environment, otherwise Amazon's. */
  s3Endpoint: httpUrl('the S3 endpoint').nullable().optional(),
  s3Region: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{1,60}$/, 'the S3 region must be a name such as eu-central-1')
    .nullable()
    .optional(),
  /** Whether a save is stored only if its files can be fetched from the public URL of the bucket. */
  publicCheck: z.enum(['on', 'off'], 'the public check must be on or off').optional(),
  unknownMaterials: z.enum(['refuse', 'accept'], 'unknown materials must be refuse or accept'),
  callbackAuth: z.enum(['none', 'basic', 'bearer'], 'callback auth must be none, basic or bearer'),
  maxContentBytes: z
    .number()
    .int('the size limit must be a whole number')
    .positive('the size limit must be a positive number')
    .max(4 * 1024 ** 3, 'the size limit must be at most 4096 MB'),
  requestTimeoutMs: z
    .number()
    .int('the request timeout must be a whole number')
    .positive('the request timeout must be a positive number')
    .max(3_600_000, 'the request timeout must be at most one hour'),
  downloadTimeoutMs: z
    .number()
    .int('the download timeout must be a whole number')
    .positive('the download timeout must be a positive number')
    .max(3_600_000, 'the download timeout must be at most one hour'),
})

/** Settings that only buckets have are stored in the bucket target. */
const siteSchema = siteFields.transform(
  ({ s3Endpoint, s3Region, publicCheck, publish, ...site }): Omit<Site, 'id'> & { id: string } => ({
    ...site,
    publish:
      publish.kind === 's3'
        ? {
            ...publish,
            ...(s3Endpoint && { endpoint: s3Endpoint }),
            ...(s3Region && { region: s3Region }),
            ...(publicCheck === 'off' && { publicCheck }),
          }
        : publish,
  }),
)

/** A site as typed or scripted: URLs as text, `publish` in its short form. */
export type SiteInput = z.input<typeof siteSchema>

/** The defaults of a new site (see contract, Limits, for the three numbers). */
export const siteDefaults = {
  environment: 'prod',
  publicUrl: null,
  allowedDomains: [],
  downloadOrigins: [],
  signatureHeader: defaultSignatureHeader,
  publish: 'listener',
  unknownMaterials: 'refuse',
  callbackAuth: 'none',
  maxContentBytes: 200 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  downloadTimeoutMs: 120_000,
} as const satisfies Partial<SiteInput>

/** The short form of a publishing target, for the command line. */
export function publishText(target: PublishTarget): string {
  switch (target.kind) {
    case 'listener':
      return 'listener'
    case 'folder':
      return `folder:${target.directory}`
    case 's3':
      return target.prefix === '' ? `s3:${target.bucket}` : `s3:${target.bucket}/${target.prefix}`
  }
}

/** The short form with the storage's address: everything that determines where files are sent. */
export function publishPlace(target: PublishTarget): string {
  const place = target.kind === 's3' ? [target.endpoint, target.region] : []
  return [publishText(target), ...place.filter((part) => part !== undefined)].join(' · ')
}

/** A stored site in its editable form. */
export const siteInputOf = (site: Site): SiteInput => ({
  ...site,
  allowedDomains: [...site.allowedDomains],
  downloadOrigins: [...site.downloadOrigins],
  publish: publishText(site.publish),
  ...(site.publish.kind === 's3' && {
    s3Endpoint: site.publish.endpoint ?? null,
    s3Region: site.publish.region ?? null,
    publicCheck: site.publish.publicCheck ?? 'on',
  }),
})

/** Validates every setting. Returns the first problem. */
export function readSiteInput(input: SiteInput): Result<Site, SiteProblem> {
  const parsed = siteSchema.safeParse(input)
  if (parsed.success) return ok({ ...parsed.data, id: parsed.data.id })
  const [first = unusable] = problemsOf(parsed.error)
  return fail(first)
}

/** All problems of a site, at most one for each field. */
export function siteProblems(input: SiteInput): readonly SiteProblem[] {
  const parsed = siteSchema.safeParse(input)
  return parsed.success ? [] : problemsOf(parsed.error)
}

const unusable: SiteProblem = { code: 'invalid_site', field: '', state: '', problem: 'it cannot be used' }

function problemsOf({ issues }: z.ZodError): readonly SiteProblem[] {
  const byField = new Map<string, SiteProblem>()
  for (const { path, message: problem } of issues) {
    const field = String(path[0] ?? '')
    if (!byField.has(field)) byField.set(field, { code: 'invalid_site', field, state: field, problem })
  }
  return [...byField.values()]
}
