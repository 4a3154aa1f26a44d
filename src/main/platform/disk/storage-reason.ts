import type { Cause, CauseCode } from '../../../contract/cause.ts'
import { CausedError, cause, causeSentence } from '../../../contract/cause.ts'
import { describeFault } from '../../../contract/domain/describe-fault.ts'
import { errorCode } from '../../../contract/error-code.ts'
import { isSystemError } from './system-error.ts'

const causes: Readonly<Record<string, CauseCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'quota_used',
  SQLITE_FULL: 'disk_full',
  EROFS: 'disk_read_only',
  SQLITE_READONLY: 'library_read_only',
  library_read_only: 'library_read_only',
  EACCES: 'not_writable',
  EPERM: 'not_writable',
  EMFILE: 'many_files_open',
  ENFILE: 'many_files_open',
  ENOENT: 'file_missing',
  ENOTDIR: 'file_in_the_way',
  EEXIST: 'file_in_the_way',
  ENAMETOOLONG: 'disk_name_too_long',
  EXDEV: 'folder_elsewhere',
  EIO: 'disk_error',
  ERR_DLOPEN_FAILED: 'addon_unusable',
  MODULE_NOT_FOUND: 'addon_unusable',
  SQLITE_CANTOPEN: 'index_not_opened',
  SQLITE_NOTADB: 'index_not_ours',
  SQLITE_CORRUPT: 'index_damaged',
  SQLITE_BUSY: 'index_held',
  FILES_HELD: 'files_held',
  NO_LOCKS: 'no_locks',
  NO_SHARED_MEMORY: 'no_shared_memory',
  bucket_away: 'bucket_away',
  entry_unknown: 'entry_unknown',
  log_folded: 'log_folded',
  team_unsupported: 'team_unsupported',
}

/**
 * The cause of a fault of disk, index or publishing target; any other error is reported as a bug. Never contains the error's
 * message, which may include local paths.
 */
export function storageCause(error: unknown): Cause {
  if (error instanceof CausedError) return error.reason
  return cause(knownCause(error) ?? (isSystemError(error) ? 'file_unusable' : 'unexpected'), { name: codeOf(error) })
}

/** The cause as English text, for logs and the command line. */
export const storageReason = (error: unknown): string => causeSentence(storageCause(error))

/** The same for any error, in logs: a bug is its kind and position. */
export const faultReason = (error: unknown): string =>
  isStorageFault(error) ? storageReason(error) : describeFault(error)

/** Whether the error comes from the disk, the index or a publishing target. Any other error is a bug. */
export const isStorageFault = (error: unknown): error is Error =>
  error instanceof CausedError || isSystemError(error) || knownCause(error) !== null

const codeOf = (error: unknown): string => errorCode(error) ?? ''

function knownCause(error: unknown): CauseCode | null {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_IOERR')) return 'disk_error'
  return causes[code] ?? causes[code.split('_').slice(0, 2).join('_')] ?? null
}

/** Whether the disk or the user's quota is full. */
export const isOutOfRoom = (error: unknown): boolean => ['disk_full', 'quota_used'].includes(knownCause(error) ?? '')

/**
 * Whether earlier writes may be lost although later ones succeed: after a failed sync the system may have dropped dirty
 * pages. Nothing more may be acknowledged until the library is reopened.
 */
export function isDiskFault(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'EIO' || code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CORRUPT')
}
