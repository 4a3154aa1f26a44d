import { createHash } from 'node:crypto'
import { accessSync, constants, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSharedFile, tryExistingExclusive } from '@galley/library'
import type { ExportFailure } from '@galley/library/records'
import { isSystemError, shownCode, withoutLinks } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail } from '@galley/wire'

/** What an export writes. */
export type ExportTarget =
  | { readonly kind: 'folder'; readonly directory: string }
  | { readonly kind: 'zip'; readonly file: string }

/**
 * Runs an export while no other one runs to the same target on this machine. If a process dies, its lock is released. The
 * lock is in the machine's folder for temporary files, so that the target contains only the bundle.
 */
export async function withTargetLock<Value, Failure>(
  target: ExportTarget,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | ExportFailure>> {
  try {
    const path = await withoutLinks(target.kind === 'folder' ? target.directory : target.file)
    return await withLockOn(path, work)
  } catch (error) {
    return ioFailure(error)
  }
}

/** Like `withTargetLock`, for a target with any other name. Throws system errors. */
export async function withLockOn<Value, Failure>(
  name: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | ExportFailure>> {
  const release = lockFor(name)
  if (release === null) return fail({ code: 'busy', state: 'exporting' })
  try {
    return await work()
  } finally {
    release()
  }
}

/** The failure of an export for a system error; throws other errors. */
export function ioFailure(error: unknown): Result<never, ExportFailure> {
  if (!isSystemError(error)) throw error
  return fail({ code: 'io_failed', errno: shownCode(error), path: error.path ?? null })
}

/**
 * The same folder for every process of this machine, whatever its TMPDIR says. Windows has no such folder, so there each user
 * has one.
 */
function lockFolder(): string {
  try {
    if (process.platform !== 'win32') accessSync('/tmp', constants.W_OK | constants.X_OK)
    return process.platform === 'win32' ? tmpdir() : '/tmp'
  } catch {
    return tmpdir()
  }
}

function lockFor(path: string): (() => void) | null {
  const hash = createHash('sha256').update(path).digest('hex')
  const file = join(lockFolder(), `galley-export-${hash}.db`)
  for (;;) {
    makeSharedFile(file)
    const opened = inodeOf(file)
    const lock = lockOrGone(file)
    if (lock === null) return null
    if (lock === 'gone') continue
    if (opened !== null && inodeOf(file) === opened)
      return () => {
        try {
          rmSync(file, { force: true })
        } catch (error) {
          // An open file on Windows, or another user's file, cannot be deleted: an empty one stays in the folder.
          if (!isSystemError(error)) throw error
        } finally {
          lock.close()
        }
      }
    // The previous holder has deleted the file meanwhile.
    lock.close()
  }
}

/** Locks the file; null if another process has it, `gone` if its holder has deleted it meanwhile. */
function lockOrGone(file: string): ReturnType<typeof tryExistingExclusive> | 'gone' {
  try {
    return tryExistingExclusive(file, 0)
  } catch (error) {
    if (inodeOf(file) === null) return 'gone'
    throw error
  }
}

const inodeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.ino ?? null
