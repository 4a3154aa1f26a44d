import type { IndexWork } from '@galley/library'
import { indexWork } from '@galley/library'
import { createNetwork } from '@galley/platform'
import type { JobContext } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { TeamKeys } from './bucket/connection.ts'
import type { TeamLocation } from './bucket/membership.ts'
import { joinLibrary } from './join-library.ts'
import { TeamFailure } from './team-failure.ts'
import type { TeamFault } from './team-fault.ts'
import { teamFault } from './team-fault.ts'

/** The background jobs of a team library. */
export interface TeamJobs {
  /** Calls `keepKeys` with the name of the new member; the answer says whether the keys are stored. */
  joinTeam: {
    input: {
      readonly folder: string
      readonly place: TeamLocation
      readonly keys: TeamKeys
      /** The URL of the proxy for the bucket; null: none. */
      readonly proxy: string | null
    }
    output: Result<null, TeamFault>
  }
  /** Both return SQLite's error code, or null. */
  replaceIndex: { input: Parameters<IndexWork['replace']>[0]; output: string | null }
  compactIndex: { input: string; output: string | null }
}

/** The same work, done in the thread itself. */
export const indexJobs: IndexWork = indexWork

/** Joins a team in a thread, because building the index from a checkpoint would block the main thread. */
export async function joinHere(
  { folder, place, keys, proxy }: TeamJobs['joinTeam']['input'],
  { ask, signal }: JobContext,
): Promise<Result<null, TeamFault>> {
  try {
    await joinLibrary({
      folder,
      place,
      network: createNetwork(process.env, proxy === null ? null : () => new URL(proxy)),
      keys,
      signal,
      now: () => new Date(),
      async keepKeys(member) {
        if ((await ask('keepKeys', member)) !== true) throw new TeamFailure('secrets_unavailable')
      },
    })
    return ok(null)
  } catch (error) {
    signal.throwIfAborted()
    const fault = teamFault(error, 'join')
    if (fault === null) throw error
    return fail(fault)
  }
}
