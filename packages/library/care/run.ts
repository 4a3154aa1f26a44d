import { counted, storageCause } from '@galley/platform'
import type { Cause, Result } from '@galley/wire'
import { causeSentence, fail } from '@galley/wire'

import { LogMismatchError } from '../db/commit.ts'
import { LibraryReadOnlyError } from '../db/read-only-copy.ts'

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
  | { readonly kind: 'cancelled' }
  /** Files could not be deleted, because they were in use all the time. `pruned`: versions deleted before. */
  | { readonly kind: 'busy'; readonly pruned?: number }
  /** `backup`: the path of a new backup has a file that is not a Galley backup. `in_library`: it is in the folder of a library. */
  | { readonly kind: 'not_ours'; readonly state: 'backup' | 'in_library' }
  | { readonly kind: 'not_a_backup' }
  | { readonly kind: 'damaged_backup'; readonly what: string }
  | { readonly kind: 'newer_library' }
  /** A backup of a build before 0.1.0. */
  | { readonly kind: 'earlier_library' }
  | { readonly kind: 'folder_not_empty' }
  /** Entries of the log are damaged or missing. Deleting files or folding the log would lose them permanently. */
  | { readonly kind: 'log_damaged' }
  /** Other processes kept reading the index, so it could not be rewritten. */
  | { readonly kind: 'index_held' }
  /** The operation would change a read-only library. */
  | { readonly kind: 'library_read_only' }
  /** The operation would change a library whose index does not belong to its log. */
  | { readonly kind: 'log_mismatch' }
  /** Another process runs the listener of this library. */
  | { readonly kind: 'served_elsewhere' }
  /** The operation would change the team's bucket, and the keys of this computer are read-only. */
  | { readonly kind: 'team_read_only' }
  /** A stored archive cannot be read. */
  | { readonly kind: 'archive_damaged' }
  /** Stored pages cannot be read, so the files they need are unknown. */
  | { readonly kind: 'pages_unreadable'; readonly versions: number }
  /** A disk or index fault, without a path. */
  | { readonly kind: 'file_failed'; readonly reason: Cause }

/** The English text: what happened, what it means for the data, what to do next. */
export function describeCareFailure(failure: CareFailure): string {
  switch (failure.kind) {
    case 'cancelled':
      return 'The operation was cancelled. Completed steps were kept.'
    case 'busy':
      return failure.pruned
        ? `${counted(failure.pruned, 'version')} deleted. Their files are in use by a backup, a check or many saves, so they could not be deleted yet. Run galley gc later.`
        : 'The library is in use by a backup, a check or many saves, so some unused files could not be deleted yet. Try again later.'
    case 'not_ours':
      return failure.state === 'backup'
        ? 'A file with this name exists and is not a Galley backup. Nothing was written. Choose another name.'
        : 'This file would be in a Galley library. Nothing was written. Choose a file outside it.'
    case 'not_a_backup':
      return 'This file is not a Galley backup. Nothing was restored. Choose another file.'
    case 'damaged_backup':
      return `The backup is damaged: ${failure.what}. Nothing was restored. Use another backup.`
    case 'newer_library':
      return 'The backup was written by a newer version of Galley. Nothing was restored. Update Galley, then try again.'
    case 'earlier_library':
      return 'The backup was written by a build of Galley before 0.1.0, which this version does not read. Nothing was restored. Restore it with that build, and export its sites there.'
    case 'folder_not_empty':
      return 'The library folder is not empty. Nothing was restored. Choose a new or empty folder.'
    case 'log_damaged':
      return 'Entries of the log are damaged or missing, or the index does not belong to it. Files that nothing uses may belong to lost saves, so nothing was deleted. Run galley fsck to list the entries. Then restore the log or a backup, or give the entries up with galley rebuild --from index, which writes a new log, and try again.'
    case 'index_held':
      return 'Another process kept using the index. The person was erased from versions and callbacks, but traces may remain in the log and in free space of the index. Close other programs that use the library, then erase again.'
    case 'library_read_only':
      return new LibraryReadOnlyError().message
    case 'log_mismatch':
      return new LogMismatchError().message
    case 'served_elsewhere':
      return 'Another process receives saves for this library. Nothing was erased. Stop its listener, or erase in the app that runs it.'
    case 'team_read_only':
      return 'This computer’s keys can only read the team’s bucket. Nothing was changed. Run the command on a computer whose keys can write.'
    case 'archive_damaged':
      return 'A stored archive is damaged, so Galley cannot tell whether it contains the address. Completed steps were kept. Run galley fsck, then erase again.'
    case 'pages_unreadable':
      return `The pages of ${counted(failure.versions, 'version')} cannot be read, so Galley cannot tell which files they need. No file was deleted. Run galley fsck --repair, then try again.`
    case 'file_failed':
      return `The operation could not finish: ${causeSentence(failure.reason)}. Completed steps were kept. Fix the problem, then try again.`
  }
}

/** Runs a care operation. Cancellation and disk faults become failures; any other error is a bug and rethrown. */
export async function asCareResult<Value>(
  { signal }: CareRun,
  work: () => Promise<Result<Value, CareFailure>>,
): Promise<Result<Value, CareFailure>> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return fail({ kind: 'cancelled' })
    if (!(error instanceof Error) || !('code' in error)) throw error
    return fail({ kind: 'file_failed', reason: storageCause(error) })
  }
}
