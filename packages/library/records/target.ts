import type { Result, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { z } from 'zod'

import { namesUser } from './site-model-fields.ts'

// Where the bundles of a site are published. Part of the shared library, without credentials.

/** How many releases of a target can be published again. Their versions are not pruned. */
export const keptReleases = 10

/** Target names are used in commands and environment variables. */
export const targetNameForm = /^[a-z0-9][a-z0-9-]{0,39}$/

const address = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  // Runs after a failed check too.
  .refine((text) => URL.canParse(text) && !/[?#]/.test(text) && !namesUser(text))
  .transform((text) => text.replace(/\/+$/, ''))
const hostForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:.]+\])$/

/** Where a target is. */
export const targetLocation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), directory: z.string().min(1).max(4096) }),
  z.object({
    kind: z.literal('s3'),
    bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/),
    /** Without slashes at either end. */
    prefix: z
      .string()
      .max(1024)
      .regex(/^$|^[^/\s][^\s]*$/),
    /** null: from the environment, otherwise Amazon's. */
    endpoint: address.nullable(),
    region: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,60}$/)
      .nullable(),
  }),
  z.object({
    kind: z.literal('sftp'),
    user: z.string().regex(/^[^\s:@/]{1,100}$/),
    host: z.string().max(255).regex(hostForm),
    port: z.int().min(1).max(65_535),
    /** Absolute, or `~/` for a path below the user's home folder. */
    path: z
      .string()
      .max(4096)
      .regex(/^(?:\/|~\/)[^\0\r\n]*$/),
  }),
])
export type TargetLocation = Readonly<z.output<typeof targetLocation>>

/** The settings of a target besides its name. */
export const targetSettings = z.object({
  place: targetLocation,
  /** The public URL of the target; null: unknown. */
  publicUrl: address.nullable(),
  /** Whether to store texts compressed, which only buckets support. */
  compress: z.boolean(),
  /** Publishes every day at this local time if something has changed. */
  schedule: z
    .string()
    .regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/)
    .nullable(),
})
export type TargetSettings = Readonly<z.output<typeof targetSettings>>

export interface Target extends TargetSettings {
  readonly site: SiteId
  readonly name: string
}

const forms = 'folder:DIR, s3:BUCKET/PREFIX or sftp:USER@HOST[:PORT]/PATH'

/** Whether a prefix has parts that a URL resolves, so that requests would go to another prefix, or another bucket. */
const leavesItsBucket = (prefix: string): boolean => /(?:^|\/)\.{1,2}(?:\/|$)/.test(prefix)

/** Parses the short form of a target. The problem is a sentence without a full stop. */
export function readTargetLocation(
  text: string,
  { endpoint, region }: { readonly endpoint: string | null; readonly region: string | null },
): Result<TargetLocation, string> {
  const [, kind, rest = ''] = /^(folder|s3|sftp):(.+)$/s.exec(text) ?? []
  if (kind === undefined) return fail(`a target must be ${forms}`)
  if (kind !== 's3' && (endpoint !== null || region !== null)) return fail('endpoint and region belong to S3 targets')
  const read = targetLocation.safeParse(locationIn(kind, rest, { endpoint, region }))
  if (read.success && !(read.data.kind === 's3' && leavesItsBucket(read.data.prefix))) return ok(read.data)
  if (read.success) return fail('the prefix of the place cannot be used')
  const field = String(read.error.issues[0]?.path[0] ?? '')
  return fail(
    field === '' || field === 'kind' ? `a target must be ${forms}` : `the ${field} of the place cannot be used`,
  )
}

function locationIn(
  kind: string,
  rest: string,
  bucket: { readonly endpoint: string | null; readonly region: string | null },
) {
  if (kind === 'folder') return { kind, directory: rest }
  if (kind === 's3') {
    const [, name, prefix = ''] = /^([^/]*)\/?(.*)$/s.exec(rest) ?? []
    return { kind, bucket: name, prefix: prefix.split('/').filter(Boolean).join('/'), ...bucket }
  }
  const [, user, host, port = 22, path] = /^([^@]*)@(\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)$/s.exec(rest) ?? []
  if (path === undefined) return null
  return { kind, user, host, port: Number(port), path: path.replace(/^\/~\//, '~/').replace(/(.)\/+$/, '$1') }
}

/** The short form of a target, for the command line. */
export function targetText(at: TargetLocation): string {
  switch (at.kind) {
    case 'folder':
      return `folder:${at.directory}`
    case 's3':
      return at.prefix === '' ? `s3:${at.bucket}` : `s3:${at.bucket}/${at.prefix}`
    case 'sftp':
      return `sftp:${at.user}@${at.host}${at.port === 22 ? '' : `:${at.port}`}${at.path.replace(/^~/, '/~')}`
  }
}

/** Whether both hold the same files: a publication to one would remove the pages of the other. */
export const isSameLocation = (one: TargetLocation, other: TargetLocation): boolean =>
  targetText(one) === targetText(other) && endpointOf(one) === endpointOf(other)

const endpointOf = (at: TargetLocation): string | null => (at.kind === 's3' ? at.endpoint : null)

/** Everything that determines where files and credentials are sent. */
export const targetAddress = (at: TargetLocation): string =>
  at.kind === 's3' ? [targetText(at), at.endpoint, at.region].join(' · ') : targetText(at)
