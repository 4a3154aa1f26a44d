import type { HeldMark, SecretStore } from '@galley/library'
import { createKeychain, entriesIn, isGone, keepTeamKeys, readTeamKeys } from '@galley/library'
import { readTargetLocation } from '@galley/library/records'
import { counted, isStorageFault } from '@galley/platform'
import type { ImportOptions, TeamKeys, TeamLocation, TeamStatus } from '@galley/team'
import {
  TeamFailure,
  UnfinishedJoinError,
  changeTeamKeys,
  decideChange,
  importLibrary,
  joinLibrary,
  leaveTeam,
  offlineKind,
  readMembership,
  refusal,
  teamLocationText,
  teamStatus,
} from '@galley/team'
import { causeSentence, failureWords } from '@galley/wire'

import type { Command, Context, Output } from './command.ts'
import { CommandFailure, command, positional } from './command.ts'
import { openingFailure } from './open-library.ts'
import type { Values } from './option.ts'
import { UsageError, flag, text } from './option.ts'
import type { LibraryPorts } from './ports.ts'
import { printable } from './table.ts'

const ofPlace = { PLACE: 'where the team library is: s3://BUCKET/PREFIX' }
const accessKeyStdin = flag('read the keys of the bucket from standard input: two lines, ID and secret')
const placeOptions = {
  endpoint: { ...text('URL', 'the S3 service', 'https://s3.acme.example'), default: 'Amazon S3' },
  region: { ...text('REGION', 'the region of the bucket', 'eu-central-1'), default: 'us-east-1' },
  accessKeyStdin,
}
const placeExamples = ['s3://acme-team/galley --access-key-stdin < keys.txt']

/** The command failure for a problem with a team. Bugs are returned unchanged. */
function teamProblem(error: unknown): unknown {
  if (error instanceof TeamFailure) return new CommandFailure(error.code, failureWords(refusal(error)))
  // The bucket's own answer is reported as for every other command.
  return isStorageFault(error) ? error : openingFailure(error)
}

function placeFromOptions(given: string, { endpoint: at, region: from }: Values<typeof placeOptions>): TeamLocation {
  const [, rest] = /^s3:\/\/(.+)$/.exec(given) ?? []
  const bucket = { endpoint: at, region: from }
  const read = rest === undefined ? null : readTargetLocation(`s3:${rest}`, bucket)
  if (read === null) throw new UsageError('the place of a team library must be s3://BUCKET/PREFIX')
  if (!read.ok) throw new UsageError(read.failure.replace('a target', 'the place'))
  if (read.value.kind !== 's3') throw new UsageError('the place of a team library must be s3://BUCKET/PREFIX')
  const { bucket: name, prefix, endpoint, region } = read.value
  return { bucket: name, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region }
}

async function keysFromInput(context: Context, isOnInput: boolean): Promise<TeamKeys> {
  if (context.secretsFromEnvironment) {
    if (isOnInput)
      throw new UsageError(
        '--access-key-stdin cannot be used with --secrets env, which takes the keys from the environment',
      )
    return readTeamKeys({ environment: context.environment }, '')
  }
  if (!isOnInput)
    throw new UsageError(
      'the keys of the bucket are missing: pass the access key ID and the secret key with --access-key-stdin, or use --secrets env',
    )
  const [id = '', secret = '', ...more] = (await context.readStdin()).trimEnd().split(/\r?\n/)
  if (!/^\S+$/.test(id) || !/^\S+$/.test(secret) || more.length > 0)
    throw new UsageError('--access-key-stdin takes two lines on standard input: the access key ID and the secret key')
  return { id, secret }
}

const keychainOf = ({ libraryFolder }: Context): SecretStore => entriesIn(createKeychain(), libraryFolder)

/** Keeps the keys in the keychain, unless the environment has them. */
const keepKeys =
  (context: Context, keys: TeamKeys) =>
  async (member: string): Promise<void> => {
    if (context.secretsFromEnvironment) return
    const kept = await keepTeamKeys(keychainOf(context), member, keys)
    if (!kept.ok) throw new TeamFailure('secrets_unavailable')
  }

const importing = (name: string, summary: string, isNew: boolean): Command =>
  command({
    name,
    summary,
    positionals: ofPlace,
    options: placeOptions,
    examples: placeExamples,
    async run(context, given) {
      const place = placeFromOptions(positional(context, 0), given)
      const keys = await keysFromInput(context, given.accessKeyStdin)
      demandNoMember(context)
      const galley = await context.galley()
      const options: ImportOptions = {
        place,
        keys,
        isNew,
        keepKeys: keepKeys(context, keys),
        signal: context.interrupted,
        onProgress: progressLog(context),
      }
      await importLibrary(galley, options).catch((error: unknown) => {
        throw teamProblem(error)
      })
      return reopened(context)
    },
  })

/** One line for each tenth. */
function progressLog(context: Context): ImportOptions['onProgress'] {
  let reported = -1
  return (what, done, total) => {
    const tenth = total === 0 ? 10 : Math.floor((done * 10) / total)
    if (done < total && tenth === reported) return
    reported = tenth
    if (total > 100) context.log(`${what}: ${done} of ${total}`)
  }
}

function demandNoMember(context: Context): void {
  try {
    if (readMembership(context.libraryFolder)?.state === 'member') throw new TeamFailure('already_member')
  } catch (error) {
    throw teamProblem(error)
  }
}

async function reopened(context: Context): Promise<Output> {
  await context.closeLibrary()
  return statusOutput(await context.galley())
}

export const teamCreate = importing('team create', 'make a new library the first member of a team library', true)
export const teamImport = importing('team import', 'send this library to a bucket, as a team library', false)

export const teamJoin = command({
  name: 'team join',
  summary: 'make a new library a member of the team library in a bucket',
  positionals: ofPlace,
  options: placeOptions,
  examples: placeExamples,
  async run(context, given) {
    const place = placeFromOptions(positional(context, 0), given)
    const keys = await keysFromInput(context, given.accessKeyStdin)
    const { libraryFolder: folder } = context
    const progress = progressLog(context)
    await joinLibrary({
      folder,
      place,
      network: context.network,
      keys,
      keepKeys: keepKeys(context, keys),
      now: () => new Date(),
      signal: context.interrupted,
      onEntries: (done, total) => progress('entries', done, total),
    }).catch((error: unknown) => {
      throw teamProblem(error)
    })
    return reopened(context)
  },
})

export const teamStatusCommand = command({
  name: 'team status',
  summary: 'show the state of this member of a team',
  examples: [''],
  run: async (context) => statusOutput(await context.galley()),
})

/** The window changes them too, but a server has none. */
export const teamKeys = command({
  name: 'team keys',
  summary: 'replace the keys for the bucket of the team',
  detail: 'The new ones are checked first.',
  options: { accessKeyStdin },
  examples: ['--access-key-stdin < keys.txt'],
  async run(context, { accessKeyStdin: isOnInput }) {
    const keys = await keysFromInput(context, isOnInput)
    const { libraryFolder: folder } = context
    try {
      const membership = readMembership(folder)
      if (membership === null) throw new TeamFailure('not_a_member')
      if (membership.state === 'joining') throw new UnfinishedJoinError()
      const { network } = context
      await changeTeamKeys({
        folder,
        membership,
        network,
        keys,
        keepKeys: keepKeys(context, keys),
        now: () => new Date(),
      })
    } catch (error) {
      throw teamProblem(error)
    }
    const { json, text: status } = await statusOutput(await context.galley())
    const next = context.secretsFromEnvironment
      ? 'Restart galley listen if it was started with other keys.'
      : 'A running galley listen uses the new keys once the bucket refuses the old ones.'
    return { json, text: `${status}\n${next}` }
  },
})

export const teamLeave = command({
  name: 'team leave',
  summary: 'leave the team and keep a separate library',
  options: { fetchAll: flag('download every file first') },
  examples: ['--fetch-all'],
  async run(context, { fetchAll }) {
    const galley = await context.galley()
    const { team } = galley
    if (team === null) throw teamProblem(new TeamFailure('not_a_member'))
    const { json } = await statusOutput(galley)
    const progress = progressLog(context)
    const missing = await leaveTeam(
      { ...galley, team },
      {
        fetchAll,
        signal: context.interrupted,
        onProgress: (done, total) => progress('files', done, total),
      },
    ).catch((error: unknown) => {
      throw teamProblem(error)
    })
    if (!context.secretsFromEnvironment) await keepTeamKeys(keychainOf(context), team.membership.member, null)
    const keys = context.secretsFromEnvironment ? ' Remove the keys of the bucket from the environment.' : ''
    const left = `This library has left the team. The team keeps everything in its bucket.${keys}`
    return {
      json: { ...Object(json), files_missing: missing },
      text:
        missing === 0
          ? left
          : `${left} ${counted(missing, 'file')} stayed in the bucket: their pages and media cannot be shown here.`,
    }
  },
})

/** Decides whose value of a field is kept if two members have changed it. */
export const teamDecide = command({
  name: 'team decide',
  summary: 'decide a conflict: keep my value, or theirs',
  detail: 'Two members have changed the same field while the bucket did not respond.',
  positionals: { ID: 'the number of a change that galley team status lists', WHOSE: 'mine or theirs' },
  examples: ['3 mine'],
  async run(context) {
    const given = positional(context, 0)
    const id = Number(given)
    const take = positional(context, 1)
    if (!/^\d+$/.test(given) || !Number.isSafeInteger(id))
      throw new UsageError('ID must be the number of a change that galley team status lists')
    if (take !== 'mine' && take !== 'theirs') throw new UsageError('WHOSE must be mine or theirs')
    const galley = await context.galley()
    const { team } = galley
    if (team === null) throw teamProblem(new TeamFailure('not_a_member'))
    await decideChange({ ...galley, team }, id, take).catch((error: unknown) => {
      throw teamProblem(error)
    })
    return statusOutput(galley)
  },
})

async function statusOutput({ team, index }: Pick<LibraryPorts, 'team' | 'index'>): Promise<Output> {
  if (team === null) throw teamProblem(new TeamFailure('not_a_member'))
  const status = await teamStatus(index, team)
  return { json: statusJson(status), text: statusText(status) }
}

/** The values of a field, as JSON; null if the field was deleted. */
const heldJson = (held: HeldMark) => {
  const { id, at, mark } = held
  const { site, materialId, versionId, field } = held.field
  return {
    id,
    site,
    material_id: materialId,
    version_id: versionId,
    // As scripts know it: the value says whether, not when.
    field: field === 'archivedAt' ? 'archived' : field,
    at,
    mine: JSON.parse(mark.wanted) as unknown,
    theirs: mark.theirs === null || isGone(held) ? null : (JSON.parse(mark.theirs) as unknown),
    gone: isGone(held),
  }
}

const statusJson = ({ membership, position, behind, offline, refuses, waiting, conflicts }: TeamStatus) => ({
  bucket: teamLocationText(membership),
  library: membership.library,
  member: membership.member,
  position,
  behind,
  waiting,
  conflicts: conflicts.map(heldJson),
  read_only: membership.isReadOnly,
  probe: {
    at: membership.probe.at,
    rounds: membership.probe.rounds.length,
    winners: membership.probe.rounds.reduce((sum, { winners }) => sum + winners, 0),
  },
  offline: offline && causeSentence(offline),
  refuses: refuses && causeSentence(refuses),
})

function statusText({ membership, position, behind, offline, refuses, waiting, conflicts }: TeamStatus): string {
  const sync =
    offline === null
      ? behind === 0
        ? 'Up to date.'
        : `${counted(behind ?? 0, 'change')} behind.`
      : `${offlineKind(offline) === 'offline' ? 'Offline' : 'Stopped'}: ${causeSentence(offline)}.`
  return [
    `Member of the team library at ${teamLocationText(membership)}, at entry ${position}. ${sync}`,
    ...(membership.isReadOnly ? ['The keys can only read, so nothing can be saved here.'] : []),
    ...(refuses === null ? [] : [`The bucket refuses writes: ${causeSentence(refuses)}.`]),
    ...(waiting === 0
      ? []
      : [`${counted(waiting, 'change')} made here ${waiting === 1 ? 'waits' : 'wait'} for the bucket.`]),
    ...conflicts.map(conflictText),
  ].join('\n')
}

function conflictText(held: HeldMark): string {
  const { id, field, mine, theirs, gone, ...of } = heldJson(held)
  const where = [of.site, of.material_id, ...(of.version_id === null ? [] : [of.version_id])].join(' ')
  const now = gone ? 'the team deleted it' : `the team’s value is ${JSON.stringify(theirs)}`
  return printable(
    `Change ${id} needs a decision: ${field} of ${where}. Your value is ${JSON.stringify(mine)}; ${now}. Run galley team decide ${id} mine, or theirs.`,
  )
}
