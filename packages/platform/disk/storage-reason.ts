import type { Cause, CauseCode } from '@galley/wire'
import { CausedError, cause, causeSentence, describeFault } from '@galley/wire'

import { lacksInodes } from './disk-space.ts'
import { isSystemError, systemCode } from './system-error.ts'

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
  const code = systemCode(error)
  const known = knownCause(error)
  if (known === 'disk_full' && isSystemError(error) && lacksInodes(error.path)) return cause('disk_without_inodes')
  if (known !== null) return cause(known, { name: code })
  if (!isSystemError(error)) return cause('unexpected', { name: code })
  return code === '' ? cause('file_unusable_unknown') : cause('file_unusable', { name: code })
}

/** The cause as English text, for logs and the command line. */
export const storageReason = (error: unknown): string => causeSentence(storageCause(error))

/** The same for any error, in logs: a bug is its kind and position. */
export const faultReason = (error: unknown): string =>
  isStorageFault(error) ? storageReason(error) : describeFault(error)

/** Whether the error comes from the disk, the index or a publishing target. Any other error is a bug. */
export const isStorageFault = (error: unknown): error is Error =>
  error instanceof CausedError || isSystemError(error) || knownCause(error) !== null

function knownCause(error: unknown): CauseCode | null {
  const code = systemCode(error)
  if (code.startsWith('SQLITE_IOERR')) return 'disk_error'
  return causes[code] ?? causes[code.split('_').slice(0, 2).join('_')] ?? null
}

/** Whether the disk or the user's quota is full. */
export const isOutOfRoom = (error: unknown): boolean => ['disk_full', 'quota_used'].includes(knownCause(error) ?? '')

/** For a promise that may be rejected because the disk is full: null then. Any other error is thrown. */
export function unlessNoRoom(error: unknown): null {
  if (!isOutOfRoom(error)) throw error
  return null
}

/**
 * Whether a cause is a fault of this computer's disk, or a lack of its descriptors, that may keep every save from being stored.
 * A probe decides whether it does.
 */
export const isOfDisk = ({ code }: Pick<Cause, 'code'>): boolean => ofDisk.has(code)

const ofDisk: ReadonlySet<CauseCode> = new Set([
  'disk_full',
  'disk_without_inodes',
  'quota_used',
  'disk_read_only',
  'library_read_only',
  'not_writable',
  'many_files_open',
  'file_missing',
  'file_in_the_way',
  'folder_elsewhere',
  'disk_error',
  'index_not_opened',
  'file_unusable',
  'file_unusable_unknown',
])
