import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memberFile, NewerLibraryError } from '@galley/library'
import { syncFolderNow } from '@galley/platform'

import type { ProbeRound } from './probe.ts'

/** Where a team library is stored. `prefix` ends with a slash or is empty. */
export interface TeamLocation {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string | null
  readonly region: string | null
}

/** The result of the last test of the bucket. */
export interface ProbeResult {
  readonly at: string
  /** Empty if the keys are read-only. */
  readonly rounds: readonly ProbeRound[]
}

/** The membership of a library folder in a team, as stored in `team.json`. */
export interface Membership extends TeamLocation {
  readonly library: string
  /** A random name of this member. */
  readonly member: string
  /** `joining`: the folder does not have everything it needs from the bucket yet. */
  readonly state: 'joining' | 'member'
  /** What the team wrote before this member joined is not all applied yet. */
  readonly isCatchingUp?: true
  /** The import ended before it was known that the bucket names the library, so other computers may not be able to join. */
  readonly isUnmarked?: true
  /** The keys can read but not write. */
  readonly isReadOnly: boolean
  readonly probe: ProbeResult
}

/** `team.json` cannot be read, so the owner of this log is not known. */
export class MembershipError extends Error {
  readonly code = 'library_damaged'
  constructor() {
    super(
      'The file team.json of this library cannot be read. Nothing was changed. ' +
        'Join the team again in a new folder.',
    )
  }
}

/** Joining the team was not completed, so the folder is not a library yet. */
export class UnfinishedJoinError extends Error {
  readonly code = 'join_unfinished'
  constructor() {
    super('This folder has not finished joining its team. Nothing is lost. Run galley team join again.')
  }
}

const galley = 1
const fileIn = (folder: string): string => join(folder, memberFile)

/** True if the folder is a member of a team or about to be one. */
const isMemberFolder = (folder: string): boolean => existsSync(fileIn(folder))

/** Null for a library without a team. Throws MembershipError, NewerLibraryError, and disk errors. */
export function readMembership(folder: string): Membership | null {
  if (!isMemberFolder(folder)) return null
  const text = readFileSync(fileIn(folder), 'utf8')
  try {
    const read = JSON.parse(text) as Membership & { readonly galley: unknown }
    const texts = [read.bucket, read.prefix, read.library, read.member, read.probe.at]
    const parts = [...texts, ...[read.endpoint, read.region].filter((each) => each !== null)]
    if (read.galley === galley && parts.every((each) => typeof each === 'string') && Array.isArray(read.probe.rounds))
      return read
    if (typeof read.galley === 'number' && read.galley > galley) throw new NewerLibraryError(memberFile)
  } catch (error) {
    if (error instanceof NewerLibraryError) throw error
    // Damaged; handled below.
  }
  throw new MembershipError()
}

export function writeMembership(folder: string, membership: Membership): void {
  const file = fileIn(folder)
  writeFileSync(`${file}.new`, `${JSON.stringify({ galley, ...membership })}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  syncFolderNow(folder)
}

export function removeMembership(folder: string): void {
  rmSync(fileIn(folder), { force: true })
  syncFolderNow(folder)
}

/** The form in which commands take and show it. */
export const teamLocationText = ({ bucket, prefix }: Pick<TeamLocation, 'bucket' | 'prefix'>): string =>
  `s3://${bucket}/${prefix.replace(/\/$/, '')}`
