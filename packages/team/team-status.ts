import type { HeldMark, IndexWith } from '@galley/library'
import { entryKey, positionIn } from '@galley/library'
import { storageCause } from '@galley/platform'
import type { Cause } from '@galley/wire'

import type { Membership } from './bucket/membership.ts'
import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'
import type { Member } from './member.ts'

export interface TeamStatus {
  readonly membership: Membership
  readonly position: number
  /** Entries in the bucket that are not applied here; null if the bucket cannot be reached. */
  readonly behind: number | null
  /** Why it cannot be reached. */
  readonly offline: Cause | null
  /** Why it refuses writes. */
  readonly refuses: Cause | null
  /** How many local changes wait for the bucket. */
  readonly waiting: number
  /** Those of them that a person must decide. */
  readonly conflicts: readonly HeldMark[]
}

/** The time limit while a person waits for the status. */
const timeLimitMs = 3_000

/** The state of a member in its team. Asks the bucket whether the keys may write. */
export async function teamStatus(
  index: IndexWith<'commit' | 'teamMarks'>,
  team: Pick<Member, 'membership' | 'bucket' | 'state' | 'askForRights' | 'refusal'>,
): Promise<TeamStatus> {
  await team.askForRights()
  const { membership, bucket, state } = team
  const refuses = team.refusal()?.why ?? null
  const { position } = index.commit.mark()
  const marks = index.teamMarks?.list() ?? []
  const conflicts = marks.filter(({ mark }) => mark.theirs !== null)
  const common = {
    membership,
    position,
    waiting: marks.length - conflicts.length + (index.teamMarks?.comments() ?? 0),
    conflicts,
    refuses,
  }
  const known = state()
  // Opening the library has just asked in vain: a bucket that never answers would take as long again.
  if (known.kind === 'offline') return { ...common, behind: null, offline: known.why }
  try {
    return { ...common, behind: await entriesAfter(await bucket(), position), offline: null }
  } catch (error) {
    const offline = storageCause(error)
    if (offline.code === 'unexpected') throw error
    return { ...common, behind: null, offline }
  }
}

/** How many entries the bucket has after a position. Throws CausedError, BucketAwayError. */
export async function entriesAfter(bucket: SharedBucket, position: number): Promise<number> {
  let count = 0
  for (let after: string = entryKey(position); ;) {
    const from = after
    const { keys } = await repeatUntilKnown(() => bucket.listAfter('log/', from), timeLimitMs)
    count += keys.filter((key) => positionIn(key) !== null).length
    const last = keys.at(-1)
    if (last === undefined) return count
    after = last
  }
}
