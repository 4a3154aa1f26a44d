import { EarlierLibraryError, NewerLibraryError } from '@galley/library'
import { isStorageFault, storageCause } from '@galley/platform'
import type { Cause, CauseCode } from '@galley/wire'

import { TeamFailure } from './team-failure.ts'

/** Why a library could not join, start or leave a team, as a value that can be passed between threads. */
export type TeamFault =
  | ReturnType<typeof refusal>
  /** `state`: the work that failed. */
  | { readonly code: 'team_failed'; readonly reason: Cause; readonly state: TeamWork }

export type TeamWork = 'join' | 'import' | 'leave' | 'keys'

/** The fact of a refusal, under each name that its words have for it. */
export const refusal = ({ code, fact = null }: Pick<TeamFailure, 'code'> & Partial<TeamFailure>) =>
  ({ code: 'team_refused', state: code, count: fact, site: fact, id: fact }) as const

/** Null for a bug. */
export function teamFault(error: unknown, state: TeamWork): TeamFault | null {
  if (error instanceof TeamFailure) return refusal(error)
  if (error instanceof NewerLibraryError) return refusal({ code: 'other_galley' })
  if (error instanceof EarlierLibraryError) return refusal({ code: 'earlier_library' })
  return isStorageFault(error) ? { code: 'team_failed', reason: storageCause(error), state } : null
}

/** Errors that may be temporary. */
const passing: ReadonlySet<CauseCode> = new Set([
  'bucket_away',
  'bucket_unreached',
  'bucket_cut',
  'bucket_slow',
  'bucket_stalled',
  'bucket_busy',
])

/** Whether a bucket may be reached later without any change. */
export const isPassingCause = (code: CauseCode): boolean => passing.has(code)

/** The same of a member that is offline for this cause; if it will not pass, somebody has to end it. */
export const offlineKind = ({ code }: Cause): 'offline' | 'stopped' => (isPassingCause(code) ? 'offline' : 'stopped')
