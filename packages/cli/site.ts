import { resolve } from 'node:path'
import type { BucketKeys, LastConfirmed, SaveSiteFailure } from '@galley/library'
import { confirmedFields, confirmedTexts } from '@galley/library'
import type { BucketKeysPresence, SecretPresence, SiteInput, SiteSummary } from '@galley/library/records'
import { publishText, siteDefaults, siteInputOf } from '@galley/library/records'
import { hasMoved } from '@galley/sites'
import { withoutUndefined } from '@galley/wire'

import type { Command, CommandFailure, Context } from './command.ts'
import {
  UsageError,
  asGiven,
  failed,
  flag,
  oneOf,
  orNone,
  positional,
  secretFrom,
  text,
  textsOrNone,
  wholeNumber,
} from './command.ts'
import { mustBeOutsideLibraries } from './outside-libraries.ts'
import { siteJson } from './outside.ts'
import { table } from './table.ts'

export const secretWords: Record<SecretPresence, string> = {
  stored: 'stored',
  missing: 'missing',
  locked: 'keychain locked',
  unavailable: 'no keychain',
  changed: 'missing: removed from the keychain',
}

const bucketKeysWords: Record<BucketKeysPresence, string> = { ...secretWords, environment: 'from the environment' }

const fieldWords: Record<(typeof confirmedFields)[number], string> = {
  baseUrl: 'base URL',
  apiKey: 'API key',
  callbackUrl: 'callback URL',
  publicUrl: 'public URL',
  downloadOrigins: 'download origins',
  publish: 'publishing target',
  environment: 'environment',
}

/** The settings that have changed since a person last confirmed them, with their confirmed values. */
function changedLines(site: SiteSummary, earlier: LastConfirmed): readonly string[][] {
  if (site.isConfirmed || earlier === null) return []
  const now = confirmedTexts(site)
  return confirmedFields
    .filter((field) => earlier[field] !== now[field])
    .map((field) => ['', `${fieldWords[field]} was ${earlier[field] ?? 'not set'}, is ${now[field] ?? 'not set'}`])
}

const described = (site: SiteSummary, earlier: LastConfirmed = null): string =>
  [
    ['id', site.id],
    ['name', site.name],
    ['environment', site.environment],
    ['base URL', site.baseUrl],
    ['API key', site.apiKey],
    ['secret', secretWords[site.secret]],
    ['callback URL', site.callbackUrl],
    ...(site.allowHttp ? [['unencrypted http', 'allowed']] : []),
    ['media published by', publishText(site.publish)],
    ...(site.publish.kind === 's3'
      ? [
          ['S3 endpoint', site.publish.endpoint ?? 'from the environment, or Amazon S3'],
          ['S3 region', site.publish.region ?? 'from the environment, or us-east-1'],
          ['S3 keys', site.bucketKeys === null ? '' : bucketKeysWords[site.bucketKeys]],
          ['public check', site.publish.publicCheck ?? 'on'],
        ]
      : []),
    ['confirmed', site.isConfirmed ? 'yes' : `no: run galley site add ${site.id} to confirm its addresses`],
    ...changedLines(site, earlier),
    ['public URL', site.publicUrl ?? 'same as the callback URL'],
    ['allowed domains', site.allowedDomains.join(', ') || 'not checked'],
    ['unknown materials', site.unknownMaterials],
    ['callback auth', site.callbackAuth],
  ]
    .map(([label = '', value = '']) => `${label.padEnd(20)}${value}`)
    .join('\n')

export const siteAdd: Command = {
  name: 'site add',
  usage:
    'ID --base-url U --api-key K --callback-url U [--name N] [--environment dev|prod] [--allowed-domain D|none]... ' +
    '[--download-origin U|none]... [--signature-header H] [--public-url U|none] [--publish listener|folder:DIR|s3:BUCKET/PREFIX] ' +
    '[--unknown-materials refuse|accept] [--callback-auth none|basic|bearer] [--max-content-mb 200] ' +
    '[--request-timeout-s 60] [--download-timeout-s 120] [--allow-http] [--secret-stdin] ' +
    '[--s3-endpoint U|none] [--s3-region R|none] [--s3-credentials-stdin|--s3-forget-credentials] [--public-check on|off]',
  summary: 'add or change a site; pass its secret and bucket keys on standard input',
  positionals: ['ID'],
  options: {
    'base-url': { type: 'string' },
    'api-key': { type: 'string' },
    'callback-url': { type: 'string' },
    name: { type: 'string' },
    environment: { type: 'string' },
    'allowed-domain': { type: 'string', multiple: true },
    'download-origin': { type: 'string', multiple: true },
    'signature-header': { type: 'string' },
    'public-url': { type: 'string' },
    publish: { type: 'string' },
    'unknown-materials': { type: 'string' },
    'callback-auth': { type: 'string' },
    'max-content-mb': { type: 'string' },
    'request-timeout-s': { type: 'string' },
    'download-timeout-s': { type: 'string' },
    'allow-http': { type: 'boolean' },
    'secret-stdin': { type: 'boolean' },
    's3-endpoint': { type: 'string' },
    's3-region': { type: 'string' },
    's3-credentials-stdin': { type: 'boolean' },
    's3-forget-credentials': { type: 'boolean' },
    'public-check': { type: 'string' },
  },
  async run(context) {
    if (flag(context, 'secret-stdin') && context.secretsFromEnvironment) {
      throw new UsageError('--secret-stdin cannot be used with --secrets env: set GALLEY_SECRET_<SITE> instead')
    }
    const isS3Stdin = flag(context, 's3-credentials-stdin')
    const isS3Forgotten = flag(context, 's3-forget-credentials')
    if (context.secretsFromEnvironment && (isS3Stdin || isS3Forgotten)) {
      throw new UsageError('with --secrets env, set the bucket keys in GALLEY_S3_KEYS_<SITE>, as id:secret')
    }
    if (isS3Stdin && isS3Forgotten)
      throw new UsageError('--s3-credentials-stdin and --s3-forget-credentials cannot be combined')
    const galley = await context.galley()
    const id = positional(context, 0)
    const before = galley.index.sites.find(id)
    const input = siteFromOptions(context, id, before && siteInputOf(before))
    needsBucket(context, input)
    const [, folder] = /^folder:(.+)$/s.exec(input.publish) ?? []
    // A folder that is already stored is kept, so that saves continue.
    if (folder !== undefined && text(context, 'publish') !== null) await mustBeOutsideLibraries(folder, 'folder')
    if (galley.team !== null && input.publish.startsWith('folder:'))
      throw new UsageError(
        'in a team library, a site publishes to a bucket or through the listener: other members have no such folder',
      )
    const given = await readSecrets(context, { hasSecret: flag(context, 'secret-stdin'), hasBucketKeys: isS3Stdin })
    const saved = await galley.sites.save(input, given.secret, {
      allowHttp: flag(context, 'allow-http') || null,
      bucketKeys: isS3Forgotten ? null : given.bucketKeys,
    })
    if (!saved.ok) throw explained(saved.failure)
    if (hasMoved(galley.index, before, saved.value))
      context.log(
        `The files of earlier saves are not moved. Publish them there too with galley site republish ${id}; otherwise, their pages lose pictures and fonts.`,
      )
    return { json: siteJson(saved.value), text: described(saved.value) }
  },
}

/** Settings of a bucket require a bucket. */
function needsBucket(context: Context, { publish }: SiteInput): void {
  const given = ['s3-endpoint', 's3-region', 's3-credentials-stdin', 'public-check'].find(
    (name) => name in context.options,
  )
  if (given !== undefined && !publish.startsWith('s3:'))
    throw new UsageError(`--${given} needs --publish s3:BUCKET/PREFIX`)
}

/** Reads the secret from one line, then the bucket keys from two: id and secret. */
async function readSecrets(
  context: Context,
  { hasSecret, hasBucketKeys }: { readonly hasSecret: boolean; readonly hasBucketKeys: boolean },
): Promise<{ readonly secret: string | null; readonly bucketKeys?: BucketKeys }> {
  if (!hasSecret && !hasBucketKeys) return { secret: null }
  const text = await context.readStdin()
  if (!hasBucketKeys) return { secret: secretFrom(text) }
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const secret = hasSecret ? secretFrom(lines.shift() ?? '') : null
  const [keyId = '', keySecret = '', ...more] = lines.map((line) => line.trim())
  if (more.length > 0 || !/^[^\s:]+$/.test(keyId) || !/^\S+$/.test(keySecret)) {
    throw new UsageError(
      `--s3-credentials-stdin takes two lines on standard input${hasSecret ? ', after the secret' : ''}: access key id, secret key`,
    )
  }
  return { secret, bucketKeys: { id: keyId, secret: keySecret } }
}

/** Merges new values over stored ones over the defaults. */
function siteFromOptions(context: Context, id: string, before: SiteInput | null): SiteInput {
  const megabytes = wholeNumber(context, 'max-content-mb', 1, 4096)
  const requestSeconds = wholeNumber(context, 'request-timeout-s', 1, 3600)
  const downloadSeconds = wholeNumber(context, 'download-timeout-s', 1, 3600)
  const given: Partial<SiteInput> = dropNulls({
    baseUrl: text(context, 'base-url'),
    apiKey: text(context, 'api-key'),
    callbackUrl: text(context, 'callback-url'),
    name: text(context, 'name'),
    environment: oneOf(context, 'environment', ['dev', 'prod']),
    signatureHeader: text(context, 'signature-header'),
    publish: wholePath(text(context, 'publish')),
    publicCheck: oneOf(context, 'public-check', ['on', 'off']),
    unknownMaterials: oneOf(context, 'unknown-materials', ['refuse', 'accept']),
    callbackAuth: oneOf(context, 'callback-auth', ['none', 'basic', 'bearer']),
    maxContentBytes: megabytes === null ? null : megabytes * 1024 * 1024,
    requestTimeoutMs: requestSeconds === null ? null : requestSeconds * 1000,
    downloadTimeoutMs: downloadSeconds === null ? null : downloadSeconds * 1000,
  })
  const clearable = withoutUndefined({
    publicUrl: orNone(context, 'public-url', asGiven),
    allowedDomains: textsOrNone(context, 'allowed-domain'),
    downloadOrigins: textsOrNone(context, 'download-origin'),
    s3Endpoint: orNone(context, 's3-endpoint', asGiven),
    s3Region: orNone(context, 's3-region', asGiven),
  })
  const merged = { name: id, ...siteDefaults, ...before, ...given, ...clearable, id }
  const { baseUrl, apiKey, callbackUrl } = merged
  if (baseUrl === undefined || apiKey === undefined || callbackUrl === undefined) {
    throw new UsageError('a new site needs --base-url, --api-key and --callback-url')
  }
  return {
    ...merged,
    baseUrl,
    apiKey,
    callbackUrl,
    allowedDomains: [...merged.allowedDomains],
    downloadOrigins: [...merged.downloadOrigins],
  }
}

/** Resolves a folder against the working directory, because the listener may have a different one. */
const wholePath = (publish: string | null): string | null =>
  publish?.replace(/^folder:(.+)$/s, (_, directory: string) => `folder:${resolve(directory)}`) ?? null

function dropNulls<Given extends object>(given: Given) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as {
    [Key in keyof Given]?: NonNullable<Given[Key]>
  }
}

function explained(failure: SaveSiteFailure): Error {
  switch (failure.code) {
    case 'invalid_site':
      return new UsageError(
        failure.state === 'plain_http'
          ? `${failure.problem}. Nothing was saved. Use https, or add --allow-http if the connection is protected in another way, such as a VPN`
          : failure.problem,
      )
    case 'secrets_read_only':
      return new UsageError('secrets come from the environment and cannot be stored')
    case 'secrets_unavailable':
      return failed(failure)
  }
}

export const siteList: Command = {
  name: 'site list',
  usage: '',
  summary: 'list all sites',
  positionals: [],
  async run(context) {
    const sites = await (await context.galley()).sites.list()
    const rows = sites.map((site) => [site.id, site.name, site.environment, secretWords[site.secret], site.callbackUrl])
    return {
      json: sites.map(siteJson),
      text: rows.length > 0 ? table(['ID', 'NAME', 'ENVIRONMENT', 'SECRET', 'CALLBACK URL'], rows) : 'No sites yet.',
    }
  },
}

export const siteShow: Command = {
  name: 'site show',
  usage: 'ID',
  summary: 'show one site',
  positionals: ['ID'],
  async run(context) {
    const site = await knownSite(context)
    const earlier = (await context.galley()).confirmations.lastConfirmed(site)
    return { json: siteJson(site), text: described(site, earlier) }
  },
}

export const siteRemove: Command = {
  name: 'site remove',
  usage: 'ID',
  summary: 'remove a site and delete its secret from the keychain; its materials and versions stay',
  positionals: ['ID'],
  async run(context) {
    const galley = await context.galley()
    const id = positional(context, 0)
    const removed = await galley.sites.remove(id)
    if (!removed.ok) throw explained(removed.failure)
    if (!removed.value) throw unknownSite(id)
    return { json: { removed: id }, text: `${id} was removed. Its materials and versions stay in the library.` }
  },
}

export const unknownSite = (id: string): CommandFailure => failed({ code: 'unknown_site', site: id })

/** The site in the first positional argument. */
export async function knownSite(context: Context): Promise<SiteSummary> {
  const id = positional(context, 0)
  const site = await (await context.galley()).sites.find(id)
  if (!site) throw unknownSite(id)
  return site
}
