import { resolve } from 'node:path'
import type { BucketKeys, LastConfirmed, SaveSiteFailure } from '@galley/library'
import { confirmedFields, confirmedTexts } from '@galley/library'
import type { BucketKeysPresence, SecretPresence, SiteInput, SiteSummary } from '@galley/library/records'
import { publishText, siteDefaults, siteInputOf } from '@galley/library/records'
import { hasMoved } from '@galley/sites'
import { withoutUndefined } from '@galley/wire'

import type { CommandFailure, Context } from './command.ts'
import { command, failed, positional, secretFrom } from './command.ts'
import type { Values } from './option.ts'
import { UsageError, choice, flag, orNone, severalOrNone, text, wholeNumber } from './option.ts'
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

export const ofSite = { SITE: 'the ID of a site' }

const siteOptions = {
  baseUrl: text('URL', 'the address of the service; a new site needs it', 'https://editor.example.com'),
  apiKey: text('KEY', 'the API key of the site at the service; a new site needs it', 'acme-key'),
  callbackUrl: text(
    'URL',
    'where the service reaches this listener; a new site needs it',
    'https://galley.acme.example/callback/acme',
  ),
  name: { ...text('NAME', 'its name for people', '"Acme Blog"'), default: 'its ID' },
  environment: { ...choice(['dev', 'prod'], 'what it is for'), default: siteDefaults.environment },
  allowedDomain: {
    ...severalOrNone(text('DOMAIN', 'a domain that pages may refer to', 'acme.example')),
    default: 'none, so nothing is checked',
  },
  downloadOrigin: {
    ...severalOrNone(text('URL', 'another origin that saves may be downloaded from', 'https://cdn.example.com')),
    default: 'none',
  },
  signatureHeader: {
    ...text('NAME', 'the header with the signature of callbacks', 'X-Acme-Signature'),
    default: siteDefaults.signatureHeader,
  },
  publicUrl: {
    ...orNone(text('URL', 'where browsers find its media', 'https://media.acme.example')),
    default: 'the origin of the callback URL',
  },
  publish: {
    ...text('listener|folder:DIR|s3:BUCKET/PREFIX', 'who serves its media', 's3:acme-media/galley'),
    default: siteDefaults.publish,
  },
  unknownMaterials: {
    ...choice(['refuse', 'accept'], 'what happens to saves of materials that were never opened here'),
    default: siteDefaults.unknownMaterials,
  },
  callbackAuth: {
    ...choice(['none', 'basic', 'bearer'], 'the credentials that callbacks must carry; Galley makes them'),
    default: siteDefaults.callbackAuth,
  },
  maxContentMb: { ...wholeNumber(1, 4096, 'the largest archive, in MiB', 500), default: '200' },
  requestTimeoutS: {
    ...wholeNumber(1, 3600, 'how long the service may take to answer, in seconds', 30),
    default: '60',
  },
  downloadTimeoutS: { ...wholeNumber(1, 3600, 'how long a download may take, in seconds', 300), default: '120' },
  allowHttp: flag('allow plain http for a site in production, if the connection is protected otherwise'),
  secretStdin: flag('read the secret of the site from standard input'),
  s3Endpoint: { ...orNone(text('URL', 'the S3 service', 'https://s3.acme.example')), default: 'Amazon S3' },
  s3Region: { ...orNone(text('REGION', 'the region of the bucket', 'eu-central-1')), default: 'us-east-1' },
  s3CredentialsStdin: flag('read the keys of the bucket from standard input: two lines, ID and secret'),
  s3ForgetCredentials: flag('delete the stored keys of the bucket'),
  publicCheck: {
    ...choice(['on', 'off'], 'whether each file is read through its public URL before a save is confirmed'),
    default: 'on',
  },
}

type SiteOptions = Values<typeof siteOptions>

export const siteAdd = command({
  name: 'site add',
  summary: 'add a site, or change and confirm one',
  detail:
    'What is not given stays as it is. The secret comes on standard input, and so do the keys of a bucket: behind the secret if both are given.',
  positionals: { ID: 'the ID of the site, which is part of its callback URL' },
  options: siteOptions,
  examples: [
    'acme --base-url https://editor.example.com --api-key acme-key --callback-url https://galley.acme.example/callback/acme --secret-stdin < secret.txt',
    'acme --allowed-domain acme.example --callback-auth basic',
  ],
  async run(context, options) {
    const { secretStdin, s3CredentialsStdin: isS3Stdin, s3ForgetCredentials: isS3Forgotten } = options
    if (secretStdin && context.secretsFromEnvironment) {
      throw new UsageError('--secret-stdin cannot be used with --secrets env: set GALLEY_SECRET_<SITE> instead')
    }
    if (context.secretsFromEnvironment && (isS3Stdin || isS3Forgotten)) {
      throw new UsageError('with --secrets env, set the bucket keys in GALLEY_S3_KEYS_<SITE>, as id:secret')
    }
    if (isS3Stdin && isS3Forgotten)
      throw new UsageError('--s3-credentials-stdin and --s3-forget-credentials cannot be combined')
    const galley = await context.galley()
    const id = positional(context, 0)
    const before = galley.index.sites.find(id)
    const input = siteFromOptions(options, id, before && siteInputOf(before))
    needsBucket(options, input)
    const [, folder] = /^folder:(.+)$/s.exec(input.publish) ?? []
    // A folder that is already stored is kept, so that saves continue.
    if (folder !== undefined && options.publish !== null) await mustBeOutsideLibraries(folder)
    if (galley.team !== null && input.publish.startsWith('folder:'))
      throw new UsageError(
        'in a team library, a site publishes to a bucket or through the listener: other members have no such folder',
      )
    const given = await readSecrets(context, { hasSecret: secretStdin, hasBucketKeys: isS3Stdin })
    const saved = await galley.sites.save(input, given.secret, {
      allowHttp: options.allowHttp || null,
      bucketKeys: isS3Forgotten ? null : given.bucketKeys,
    })
    if (!saved.ok) throw explained(saved.failure)
    if (hasMoved(galley.index, before, saved.value))
      context.log(
        `The files of earlier saves are not moved. Publish them there too with galley site republish ${id}; otherwise, their pages lose pictures and fonts.`,
      )
    return { json: siteJson(saved.value), text: described(saved.value) }
  },
})

/** Settings of a bucket require a bucket. */
function needsBucket(
  { s3Endpoint, s3Region, s3CredentialsStdin, publicCheck }: SiteOptions,
  { publish }: SiteInput,
): void {
  const given = [
    s3Endpoint !== undefined && 's3-endpoint',
    s3Region !== undefined && 's3-region',
    s3CredentialsStdin && 's3-credentials-stdin',
    publicCheck !== null && 'public-check',
  ].find((name) => name !== false)
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
function siteFromOptions(options: SiteOptions, id: string, before: SiteInput | null): SiteInput {
  const { maxContentMb: megabytes, requestTimeoutS: requestSeconds, downloadTimeoutS: downloadSeconds } = options
  const given: Partial<SiteInput> = dropNulls({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    callbackUrl: options.callbackUrl,
    name: options.name,
    environment: options.environment,
    signatureHeader: options.signatureHeader,
    publish: wholePath(options.publish),
    publicCheck: options.publicCheck,
    unknownMaterials: options.unknownMaterials,
    callbackAuth: options.callbackAuth,
    maxContentBytes: megabytes === null ? null : megabytes * 1024 * 1024,
    requestTimeoutMs: requestSeconds === null ? null : requestSeconds * 1000,
    downloadTimeoutMs: downloadSeconds === null ? null : downloadSeconds * 1000,
  })
  const clearable = withoutUndefined({
    publicUrl: options.publicUrl,
    allowedDomains: options.allowedDomain,
    downloadOrigins: options.downloadOrigin,
    s3Endpoint: options.s3Endpoint,
    s3Region: options.s3Region,
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

export const siteList = command({
  name: 'site list',
  summary: 'list all sites',
  examples: [''],
  async run(context) {
    const sites = await (await context.galley()).sites.list()
    const rows = sites.map((site) => [site.id, site.name, site.environment, secretWords[site.secret], site.callbackUrl])
    return {
      json: sites.map(siteJson),
      text: rows.length > 0 ? table(['ID', 'NAME', 'ENVIRONMENT', 'SECRET', 'CALLBACK URL'], rows) : 'No sites yet.',
    }
  },
})

export const siteShow = command({
  name: 'site show',
  summary: 'show one site',
  positionals: { ID: ofSite.SITE },
  examples: ['acme'],
  async run(context) {
    const site = await knownSite(context)
    const earlier = (await context.galley()).confirmations.lastConfirmed(site)
    return { json: siteJson(site), text: described(site, earlier) }
  },
})

export const siteRemove = command({
  name: 'site remove',
  summary: 'remove a site and its secret',
  detail: 'Its materials and versions stay in the library.',
  positionals: { ID: ofSite.SITE },
  examples: ['acme'],
  async run(context) {
    const galley = await context.galley()
    const id = positional(context, 0)
    const removed = await galley.sites.remove(id)
    if (!removed.ok) throw explained(removed.failure)
    if (!removed.value) throw unknownSite(id)
    return { json: { removed: id }, text: `${id} was removed. Its materials and versions stay in the library.` }
  },
})

export const unknownSite = (id: string): CommandFailure => failed({ code: 'unknown_site', site: id })

/** The site in the first positional argument. */
export async function knownSite(context: Context): Promise<SiteSummary> {
  const id = positional(context, 0)
  const site = await (await context.galley()).sites.find(id)
  if (!site) throw unknownSite(id)
  return site
}
