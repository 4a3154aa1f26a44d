import { isSystemError } from './system-error.ts'

/** What file systems answer that have no such operation: shares, FUSE, drives of other systems. */
const unsupported: ReadonlySet<string> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])
/** On a share, only its owner may change modes, although others may write. */
const ofOthers: ReadonlySet<string> = new Set(['EACCES', 'EPERM'])

/** Whether a folder cannot be synced because its file system has no such operation. Every other failed sync is a fault. */
export const cannotSync = (error: unknown): boolean => isSystemError(error) && unsupported.has(error.code)

/** Waits for a change of a file's mode. The file keeps the mode of its file system where that gives all files the same one. */
export async function unlessModeIsFixed(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!isSystemError(error) || !(unsupported.has(error.code) || ofOthers.has(error.code))) throw error
  }
}
