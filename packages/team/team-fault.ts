import { EarlierLibraryError, NewerLibraryError } from '@galley/library'
import { isStorageFault, storageCause } from '@galley/platform'
import type { Cause, CauseCode } from '@galley/wire'

import type { TeamFailureCode } from './team-failure.ts'
import { TeamFailure } from './team-failure.ts'

/** Why a library could not join, start or leave a team, as a value that can be passed between threads. */
export type TeamFault =
  | { readonly kind: 'refused'; readonly code: TeamFailureCode; readonly fact: string | number | null }
  | { readonly kind: 'failed'; readonly reason: Cause }

/** Null for a bug. */
export function teamFault(error: unknown): TeamFault | null {
  if (error instanceof TeamFailure) return { kind: 'refused', code: error.code, fact: error.fact }
  if (error instanceof NewerLibraryError) return { kind: 'refused', code: 'other_galley', fact: null }
  if (error instanceof EarlierLibraryError) return { kind: 'refused', code: 'earlier_library', fact: null }
  return isStorageFault(error) ? { kind: 'failed', reason: storageCause(error) } : null
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
