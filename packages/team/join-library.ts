import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  LogFoldedError,
  TeamLogError,
  checkpointKey,
  ensureLocal,
  entryBehind,
  entryKey,
  filePath,
  logStart,
  nameEntriesAnew,
  openCheckpoints,
  openLibrary,
  openLog,
  readLogObject,
  removeDatabase,
  takeOwnership,
  writeName,
} from '@galley/library'
import type { Index } from '@galley/library'
import { makeFolder } from '@galley/platform'
import type { Network } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'

import type { TeamConnection, TeamKeys } from './bucket/connection.ts'
import { connectTeam } from './bucket/connection.ts'
import type { Membership, TeamLocation } from './bucket/membership.ts'
import { readMembership, writeMembership } from './bucket/membership.ts'
import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'
import { probeAsAllowed } from './probe-as-allowed.ts'
import { checkpointsIn } from './team-checkpoints.ts'
import { TeamFailure } from './team-failure.ts'
import { libraryIn } from './team-marker.ts'
import { entriesAfter } from './team-status.ts'

export interface JoinOptions {
  readonly folder: string
  readonly place: TeamLocation
  readonly network: Network
  readonly keys: TeamKeys
  /** Stores the keys for this member. Throws TeamFailure. */
  readonly keepKeys: (member: string) => Promise<void>
  readonly now: () => Date
  readonly signal?: AbortSignal
  /** Follows the log to its end as well, and reports how many entries after the checkpoint were applied. */
  readonly onEntries?: (done: number, total: number) => void
}

/**
 * Makes a new or empty library a member of the team in a bucket: restores the newest usable checkpoint, or starts at
 * the first entry. From then on it can be opened, and every opening follows the log. A repeated run starts over until the
 * member has reached the end of the log once. Throws TeamFailure, CausedError, BucketAwayError, and disk errors.
 */
export async function joinLibrary(options: JoinOptions): Promise<void> {
  const { folder, place, network, keys, signal } = options
  await makeFolder(folder, 0o700)
  const former = readMembership(folder)
  if (former !== null && !mayStartOver(former, place)) throw new TeamFailure('already_member')
  if (former === null) await demandEmpty(options)
  const ownership = takeOwnership(folder, process.pid)
  if (ownership === null) throw new TeamFailure('library_in_use')
  const pathOf = (file: Parameters<typeof filePath>[1]): string => filePath(folder, file)
  const connection = connectTeam({
    place,
    network,
    keys: () => Promise.resolve(keys),
    pathOf,
    ...(signal && { signal }),
  })
  try {
    await begin(options, connection)
  } finally {
    await connection.close()
    ownership.release()
  }
}

/** Changes that wait in a member are for its own team. */
const mayStartOver = ({ state, isCatchingUp, ...of }: Membership, place: TeamLocation): boolean =>
  state === 'joining' ||
  (isCatchingUp === true && of.bucket === place.bucket && of.prefix === place.prefix && of.endpoint === place.endpoint)

/** A library with contents is not touched. */
async function demandEmpty({ folder, now }: JoinOptions): Promise<void> {
  if (!existsSync(join(folder, 'log')) && !existsSync(join(folder, 'index.db'))) return
  const library = await openLibrary(folder, now, () => undefined)
  try {
    const { materials, versions } = library.index.counts()
    if (materials + versions + library.index.sites.list().length > 0) throw new TeamFailure('library_not_empty')
  } finally {
    library.close()
  }
}

async function begin(options: JoinOptions, connection: TeamConnection): Promise<void> {
  const { folder, place, now } = options
  const bucket = await connection.reached()
  const rounds = await probeAsAllowed(bucket)
  const library = await libraryIn(bucket)
  if (library === null) throw new TeamFailure('no_team_library')
  const probe = { at: now().toISOString(), rounds }
  const membership: Membership = {
    ...place,
    library,
    member: randomUUID(),
    state: 'joining',
    isReadOnly: rounds.length === 0,
    probe,
  }
  writeMembership(folder, membership)
  nameEntriesAnew(folder)
  await setAside(folder, now())
  const begun = await beginWithCheckpoint(folder, bucket, library)
  if (begun !== 'taken') await beginWithFirstEntry(folder, bucket, begun)
  ensureLocal(folder, now, false)
  writeName(folder, library)
  await options.keepKeys(membership.member)
  // Builds the index from the checkpoint.
  const opened = await openLibrary(folder, now, () => undefined, null, connection.run)
  try {
    options.signal?.throwIfAborted()
    writeMembership(folder, { ...membership, state: 'member', isCatchingUp: true })
    if (options.onEntries) await followToEnd(options.onEntries, opened.index, bucket)
  } finally {
    opened.close()
  }
}

/** How often progress is reported. */
const progressEveryMs = 200

async function followToEnd(
  onEntries: NonNullable<JoinOptions['onEntries']>,
  { commit, followTeam }: Index,
  bucket: SharedBucket,
): Promise<void> {
  const { position } = commit.mark()
  const total = await entriesAfter(bucket, position)
  const tell = (): void => onEntries(Math.min(commit.mark().position - position, total), total)
  const timer = setInterval(tell, progressEveryMs)
  try {
    await followTeam?.()
    tell()
  } finally {
    clearInterval(timer)
  }
}

/** Moves away what an empty library or an unfinished join left in the folder. */
async function setAside(folder: string, at: Date): Promise<void> {
  const names = ['log', 'checkpoints', 'index.db', 'index.db-wal', 'index.db-shm', 'library.json']
  const present = names.filter((name) => existsSync(join(folder, name)))
  if (present.length === 0) return
  const aside = join(
    folder,
    'lost-and-found',
    `before-team-${at.toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 4)}`,
  )
  await mkdir(aside, { recursive: true, mode: 0o700 })
  for (const name of present) await rename(join(folder, name), join(aside, name))
}

/** Why no checkpoint of a team was taken. `newer`: a newer Galley could use one. `no_room`: this disk has no room for one. */
type NotTaken = 'none' | 'newer' | 'no_room'

/** Takes the newest usable checkpoint. */
async function beginWithCheckpoint(folder: string, bucket: SharedBucket, library: string): Promise<'taken' | NotTaken> {
  const log = openLog(folder)
  const checkpoints = openCheckpoints(folder, log)
  await mkdir(checkpoints.folder, { recursive: true, mode: 0o700 })
  let why: NotTaken = 'none'
  for (const position of await checkpointsIn(bucket)) {
    const path = checkpoints.fileOf(position)
    const maxBytes = await checkpoints.room()
    const answer = await repeatUntilKnown(() => bucket.fetch(checkpointKey(position), path, maxBytes))
    const unread = answer.kind === 'longer' ? 'no_room' : 'unfit'
    const trial = answer.kind === 'found' ? await checkpoints.unpackForeign(position, library) : unread
    if (typeof trial !== 'string') {
      await removeDatabase(trial.file)
      log.beginAfter(position)
      return 'taken'
    }
    if (why === 'none' && trial !== 'unfit') why = trial
    await rm(path, { force: true })
  }
  return why
}

async function beginWithFirstEntry(folder: string, bucket: SharedBucket, begun: NotTaken): Promise<void> {
  const found = await repeatUntilKnown(() => bucket.get(entryKey(1)))
  const entry = found.kind === 'found' ? readLogObject(found.bytes) : null
  if (entry?.kind === 'newer' || (entry?.kind === 'folded' && begun === 'newer')) throw new TeamFailure('other_galley')
  if (entry?.kind === 'folded' && begun === 'no_room') throw new CausedError(cause('no_room'))
  // The entries before a checkpoint no longer exist, and no checkpoint can be used.
  if (entry?.kind === 'folded') throw new LogFoldedError(entry.checkpoint)
  // The library is complete, so its first entry was there.
  if (found.kind === 'absent') throw new TeamLogError('log_lost', 1)
  const { bytes, hash } = entryBehind(logStart, found.bytes)
  openLog(folder).appendLine(logStart, { bytes: Buffer.from(bytes), hash })
}
