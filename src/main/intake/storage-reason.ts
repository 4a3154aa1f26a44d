import { PublishError } from '../publishing/publisher.ts'

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  SQLITE_FULL: 'the disk is full',
  EROFS: 'the disk is read-only',
  SQLITE_READONLY: 'the library is read-only',
  EACCES: 'the library folder may not be written',
  EPERM: 'the library folder may not be written',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reported an error',
  SQLITE_CORRUPT: 'the index of the library is damaged',
  SQLITE_BUSY: 'another program holds the index of the library',
}

/** A fault of disk or index in words without paths; anything else is a bug and reads as one. */
export function storageReason(error: unknown): string {
  if (error instanceof PublishError) return error.message
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : ''
  if (code.startsWith('SQLITE_IOERR')) return 'the disk reported an error'
  return words[code] ?? words[code.split('_').slice(0, 2).join('_')] ?? 'an unexpected fault'
}

/**
 * Whether what was written before may be lost although later writes succeed: after a failed sync the system may have
 * dropped dirty pages, so nothing more may be acknowledged until the library was opened anew.
 */
export function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : ''
  return code === 'EIO' || code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CORRUPT')
}
