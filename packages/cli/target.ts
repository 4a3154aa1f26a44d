import { resolve } from 'node:path'
import type { Target, TargetLocation, TargetSettings } from '@galley/library/records'
import { readTargetLocation, targetNameForm, targetSettings, targetText } from '@galley/library/records'
import type { Releasing, TargetSummary } from '@galley/sites'
import { causeSentence } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command, failed, positional } from './command.ts'
import type { Values } from './option.ts'
import { UsageError, flag, onOff, orNone, text } from './option.ts'
import { mustBeOutsideLibraries } from './outside-libraries.ts'
import { knownSite, ofSite, secretWords } from './site.ts'
import { table } from './table.ts'

const ofTarget = { ...ofSite, NAME: 'the name of the target' }

const options = {
  endpoint: { ...orNone(text('URL', 'the S3 service', 'https://s3.acme.example')), default: 'Amazon S3' },
  region: { ...orNone(text('REGION', 'the region of the bucket', 'eu-central-1')), default: 'us-east-1' },
  publicUrl: text('URL|none', 'where readers find the site', 'https://acme.example'),
  compress: { ...onOff('whether files are stored compressed in a bucket'), default: 'off' },
  schedule: { ...text('HH:MM|none', 'publish every day at this time', '06:00'), default: 'none' },
  live: flag('it is the target that readers see, of which a site has one'),
  notLive: flag('it is not'),
  credentialsStdin: flag(
    'read its credentials from standard input: ID and secret of a bucket in two lines; a password; or file:PATH of a private key, and its passphrase in a second line',
  ),
}

export const targetAdd = command({
  name: 'target add',
  summary: 'add or change a place that a site is published to',
  positionals: { ...ofTarget, PLACE: 'folder:DIR, s3:BUCKET/PREFIX or sftp:USER@HOST[:PORT]/PATH' },
  options,
  examples: [
    'acme live folder:/srv/www/acme --public-url https://acme.example --live',
    'acme live sftp:web@acme.example/var/www --credentials-stdin < password.txt',
  ],
  async run(context, given) {
    const site = await knownSite(context)
    const galley = await context.galley()
    const { targets } = galley.releasing
    const { live: isLive, notLive: isNotLive } = given
    if (isLive && isNotLive) throw new UsageError('use only one of --live and --not-live')
    const target = targetFromOptions(context, given, {
      before: galley.index.targets.find(site.id, positional(context, 1)),
      site: site.id,
    })
    if (galley.team !== null && target.place.kind === 'folder')
      throw new UsageError('in a team library, a target cannot be a folder: other members do not have it')
    await demandOwnLocation(target, targets)
    const key = given.credentialsStdin ? keyFrom(await context.readStdin(), target) : null
    if (key !== null && context.secretsFromEnvironment)
      throw new UsageError('secrets come from the environment and cannot be stored')
    const saved = await targets.save(target, key, isLive ? true : isNotLive ? false : null)
    if (saved.ok) return { json: targetJson(saved.value), text: described(saved.value) }
    throw failed(saved.failure)
  },
})

/** Refuses a place in a library, or one that another target publishes to. */
async function demandOwnLocation(target: Target, targets: Releasing['targets']): Promise<void> {
  const { place } = target
  if (place.kind === 'folder') await mustBeOutsideLibraries(place.directory)
  const holder = await targets.holderOf(target)
  if (holder !== null)
    throw new UsageError(
      `the target ${holder.name} of ${holder.site} publishes to this location; each would remove the other’s pages`,
    )
}

/** Merges new values over stored ones. */
function targetFromOptions(
  context: Context,
  given: Values<typeof options>,
  { before, site }: { readonly before: Target | null; readonly site: Target['site'] },
): Target {
  const name = positional(context, 1)
  if (!targetNameForm.test(name))
    throw new UsageError('the name of a target must be 1 to 40 lower-case letters, digits or hyphens')
  const value = placeFromOptions(positional(context, 2), given, before?.place ?? null)
  const publicUrl = given.publicUrl ?? before?.publicUrl ?? null
  const schedule = given.schedule ?? before?.schedule ?? null
  const requested: TargetSettings = {
    // Resolves a folder against the working directory, because the scheduler may have a different one.
    place: value.kind === 'folder' ? { ...value, directory: resolve(value.directory) } : value,
    publicUrl: publicUrl === 'none' ? null : publicUrl,
    compress: given.compress ?? before?.compress ?? false,
    schedule: schedule === 'none' ? null : schedule,
  }
  if (requested.compress && value.kind !== 's3') throw new UsageError('--compress on is for S3 targets')
  const read = targetSettings.safeParse(requested)
  if (!read.success) {
    const [field] = read.error.issues[0]?.path ?? []
    throw new UsageError(
      field === 'schedule'
        ? '--schedule must be a time such as 06:00, or none'
        : '--public-url must be an http or https URL without a user name, query or fragment',
    )
  }
  return { site, name, ...read.data }
}

/** Without an option, the same bucket keeps its endpoint and region. */
function placeFromOptions(
  place: string,
  { endpoint, region }: Values<typeof options>,
  before: TargetLocation | null,
): TargetLocation {
  const read = readTargetLocation(place, { endpoint: endpoint ?? null, region: region ?? null })
  if (!read.ok) throw new UsageError(read.failure)
  const { value } = read
  if (value.kind !== 's3' || before?.kind !== 's3') return value
  if (value.bucket !== before.bucket || value.prefix !== before.prefix) return value
  return {
    ...value,
    endpoint: endpoint === undefined ? before.endpoint : value.endpoint,
    region: region === undefined ? before.region : value.region,
  }
}

/** Credentials as stored: `id:secret`, a password, or `file:PATH` of a private key with its passphrase in the next line. */
function keyFrom(stdin: string, { place }: Target): string {
  const [first = '', second, ...more] = stdin.replace(/\r?\n$/, '').split(/\r?\n/)
  if (place.kind === 'folder') throw new UsageError('a folder has no credentials')
  if (place.kind === 's3') {
    if (second === undefined || more.length > 0 || !/^[^\s:]+$/.test(first) || !/^\S+$/.test(second))
      throw new UsageError('--credentials-stdin takes two lines on standard input: access key id, secret key')
    return `${first}:${second}`
  }
  const isKey = first.startsWith('file:')
  if (first === '' || more.length > 0 || (second !== undefined && !isKey))
    throw new UsageError(
      '--credentials-stdin takes a password on standard input, or file:PATH of a private key and, below it, its passphrase',
    )
  return isKey ? [`file:${resolve(first.slice('file:'.length))}`, ...(second ? [second] : [])].join('\n') : first
}

const described = ({ name, place, publicUrl, schedule, isConfirmed, credentials, isLive }: TargetSummary): string =>
  [
    ['name', name],
    ['place', targetText(place)],
    ...(place.kind === 's3' ? [['endpoint', place.endpoint ?? 'from the environment, or Amazon S3']] : []),
    ['public URL', publicUrl ?? 'none'],
    ['credentials', place.kind === 'folder' ? 'not needed' : secretWords[credentials]],
    [
      'schedule',
      schedule === null ? 'none' : `every day at ${schedule} in the time zone of the site, if something has changed`,
    ],
    ['live', isLive ? 'yes: pages are compared with what it shows' : 'no'],
    ['confirmed', isConfirmed ? 'yes' : 'no: run galley target add to confirm its address'],
  ]
    .map(([label = '', value = '']) => `${label.padEnd(20)}${value}`)
    .join('\n')

export const targetJson = ({
  site,
  name,
  place,
  publicUrl,
  compress,
  schedule,
  isConfirmed,
  credentials,
  isLive,
}: TargetSummary) => ({
  site,
  name,
  place: targetText(place),
  endpoint: place.kind === 's3' ? place.endpoint : null,
  region: place.kind === 's3' ? place.region : null,
  public_url: publicUrl,
  compress,
  schedule,
  live: isLive,
  confirmed: isConfirmed,
  credentials: place.kind === 'folder' ? 'none' : credentials === 'changed' ? 'missing' : credentials,
})

export const targetList = command({
  name: 'target list',
  summary: 'list the publishing targets of a site',
  positionals: ofSite,
  examples: ['acme'],
  async run(context) {
    const site = await knownSite(context)
    const targets = await (await context.galley()).releasing.targets.list(site.id)
    const rows = targets.map(({ name, place, publicUrl, schedule }) => [
      name,
      targetText(place),
      publicUrl ?? '-',
      schedule ?? '-',
    ])
    return {
      json: targets.map(targetJson),
      text: rows.length > 0 ? table(['NAME', 'PLACE', 'PUBLIC URL', 'SCHEDULE'], rows) : 'No targets yet.',
    }
  },
})

export const targetRemove = command({
  name: 'target remove',
  summary: 'remove a publishing target and its credentials',
  detail: 'The published site stays online.',
  positionals: ofTarget,
  examples: ['acme live'],
  async run(context) {
    const { galley, target } = await knownTarget(context, positional(context, 1))
    const removed = await galley.releasing.targets.remove(target)
    if (!removed.ok) throw failed(removed.failure)
    return { json: { removed: target.name }, text: `${target.name} was removed. The published site stays online.` }
  },
})

export const targetCheck = command({
  name: 'target check',
  summary: 'connect to a target and write, read and delete a small file',
  positionals: ofTarget,
  examples: ['acme live'],
  async run(context) {
    const { galley, target } = await knownTarget(context, positional(context, 1))
    const findings = await galley.releasing.check(target)
    const ok = findings.every((finding) => finding.ok)
    const checks = findings.map(({ name, ok: isFine, why, detail }) => ({
      name,
      ok: isFine,
      detail: [detail, why && causeSentence(why)].filter(Boolean).join(': '),
    }))
    const lines = checks.map(
      (check, at) =>
        `${check.ok ? (findings[at]?.why ? 'note' : 'ok  ') : 'FAIL'}  ${check.name}${check.detail && `: ${check.detail}`}`,
    )
    return { json: { ok, checks }, text: lines.join('\n'), exitCode: ok ? 0 : 1 }
  },
})

/** A target of the site in the first positional argument: the one with this name, otherwise the only one. */
export async function knownTarget(context: Context, name: string | null) {
  const site = await knownSite(context)
  const galley = await context.galley()
  const targets = galley.index.targets.list(site.id)
  const target =
    name === null ? (targets.length === 1 ? targets[0] : undefined) : targets.find((each) => each.name === name)
  if (target) return { galley, site, target }
  if (name !== null) throw new CommandFailure('unknown_target', `There is no target ${name}. Nothing was changed.`)
  if (targets.length === 0)
    throw new CommandFailure('unknown_target', 'This site has no target. Add one with galley target add.')
  throw new UsageError(`--target must be one of ${targets.map((each) => each.name).join(', ')}`)
}
