import type { ArchiveFailure } from './jobs.ts'

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reported an error',
  EROFS: 'the disk can only be read',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EACCES: 'a file may not be written',
  EPERM: 'a file may not be written',
}

/**
 * What an error of the file system means for a save, or null when it is none and so a bug. Never the error's own
 * message: that one holds paths of the machine.
 */
export function storageFailure(error: unknown): ArchiveFailure | null {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string')) return null
  return { kind: 'storage_failed', reason: words[error.code] ?? `a file could not be used (${error.code})` }
}
