import { storageCause } from '@galley/platform'
import type { Cause, Result } from '@galley/wire'
import { fail } from '@galley/wire'

/** The progress of an operation. `total` is null if unknown. */
export interface Progress {
  readonly step: 'reading' | 'copying' | 'writing' | 'verifying' | 'deleting'
  readonly done: number
  readonly total: number | null
  readonly unit: 'bytes' | 'files' | 'versions' | 'entries'
}

/** The context of every care operation: a signal that stops it safely, and a callback for its progress. */
export interface CareRun {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Why a care operation failed. */
export type CareFailure =
  | { readonly code: 'cancelled'; readonly state: 'midway' }
  /** Files could not be deleted, because they were in use all the time. `pruned`: versions were deleted before. */
  | { readonly code: 'busy'; readonly state?: 'pruned' }
  /** `backup`: the path of a new backup has a file that is not a Galley backup. `in_library`: it is in the folder of a library. */
  | { readonly code: 'not_ours'; readonly state: 'backup' | 'in_library' }
  | { readonly code: 'not_a_backup' }
  | { readonly code: 'damaged_backup'; readonly what: string }
  | { readonly code: 'newer_library' }
  /** A backup of a build before 0.1.0. */
  | { readonly code: 'earlier_library' }
  | { readonly code: 'folder_not_empty' }
  /** Entries of the log are damaged or missing. Deleting files or folding the log would lose them permanently. */
  | { readonly code: 'log_damaged' }
  /** Other processes kept reading the index, so it could not be rewritten. */
  | { readonly code: 'index_held' }
  /** The operation would change a read-only library. */
  | { readonly code: 'library_read_only' }
  /** The operation would change a library whose index does not belong to its log. */
  | { readonly code: 'log_mismatch' }
  /** Another process runs the listener of this library. */
  | { readonly code: 'served_elsewhere' }
  /** The operation would change the team's bucket, and the keys of this computer are read-only. */
  | { readonly code: 'team_read_only' }
  /** A stored archive cannot be read. */
  | { readonly code: 'archive_damaged' }
  /** Stored pages cannot be read, so the files they need are unknown. */
  | { readonly code: 'pages_unreadable'; readonly versions: number }
  /** A disk or index fault, without a path. */
  | { readonly code: 'file_failed'; readonly reason: Cause }

/** Runs a care operation. Cancellation and disk faults become failures; any other error is a bug and rethrown. */
export async function asCareResult<Value>(
  { signal }: CareRun,
  work: () => Promise<Result<Value, CareFailure>>,
): Promise<Result<Value, CareFailure>> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return fail({ code: 'cancelled', state: 'midway' })
    if (!(error instanceof Error) || !('code' in error)) throw error
    return fail({ code: 'file_failed', reason: storageCause(error) })
  }
}
