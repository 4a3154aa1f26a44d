import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { tryExclusive, tryExistingExclusive } from './database/exclusive-file.ts'

/** The owner of a library: the only process that may run its listener and clean up its folders. */
export interface Owner {
  readonly processId: number
  /** The URL of its listener, or null while it starts. */
  readonly url: string | null
}

/** Another process serves the library, so its index cannot be replaced now. */
export class LibraryServedError extends Error {
  readonly code = 'library_in_use'
  constructor(processId: number) {
    super(
      `The index of this library must be rebuilt, but ${processId === 0 ? 'another process' : `process ${processId}`} ` +
        'receives saves for it. Nothing was changed. Stop its listener, then try again.',
    )
  }
}

/** Held until `release` or the end of the process. */
export interface Ownership {
  /** Publishes the URL of the listener to other processes. */
  announce(url: string | null): void
  release(): void
}

/**
 * Takes ownership of the library in `folder`; null if another process has it. Uses a separate lock file, so that commands
 * can use the index at the same time.
 */
export function takeOwnership(folder: string, processId: number): Ownership | null {
  // Commands hold the lock briefly while they look up the owner, so this waits.
  const lock = tryExclusive(lockFile(folder), 500)
  if (!lock) return null
  let lastUrl = lastListenedAt(folder)
  const announce = (url: string | null) => {
    const file = ownerFile(folder)
    lastUrl = url ?? lastUrl
    writeFileSync(`${file}.new`, JSON.stringify({ processId, url, lastUrl }), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  try {
    announce(null)
  } catch (error) {
    lock.close()
    throw error
  }
  return { announce, release: () => lock.close() }
}

/** The ownership of a library in this process. Its parts can hold it concurrently; the last release gives it up. */
export function createOwnership(folder: string) {
  let held: Ownership | null = null
  let holders = 0
  let announced: string | null = null

  return {
    /** null if another process owns the library. */
    hold(): Ownership | null {
      held ??= takeOwnership(folder, process.pid)
      if (held === null) return null
      holders += 1
      let isOver = false
      return {
        announce(url) {
          held?.announce(url)
          announced = url
        },
        release() {
          if (isOver) return
          isOver = true
          holders -= 1
          if (holders > 0) return
          held?.release()
          held = null
          announced = null
        },
      }
    },
    /** The current owner of the library: this process, another one or none. */
    owner: (): Owner | null => (held ? { processId: process.pid, url: announced } : currentOwner(folder)),
    isElsewhere: (): boolean => held === null && currentOwner(folder) !== null,
  }
}

export type LibraryOwnership = ReturnType<typeof createOwnership>

/** The last URL of a listener of the library; null if unknown. */
export function lastListenedAt(folder: string): string | null {
  try {
    const { lastUrl } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as { lastUrl?: unknown }
    return typeof lastUrl === 'string' && URL.canParse(lastUrl) ? lastUrl : null
  } catch {
    return null
  }
}

/**
 * The owner, if it is another process. Throws `SQLITE_FULL` on a full disk: a library that is opened to be written must not
 * open there.
 */
export function otherOwner(folder: string): Owner | null {
  const owner = ownerBy(tryExclusive, folder)
  return owner?.processId === process.pid ? null : owner
}

/** Throws LibraryServedError if another process owns the library, and `SQLITE_FULL` on a full disk. */
export function assertNoOtherOwner(folder: string): void {
  const owner = otherOwner(folder)
  if (owner !== null) throw new LibraryServedError(owner.processId)
}

/** The current owner of the library, or null; also on a full disk. */
export const currentOwner = (folder: string): Owner | null => ownerBy(tryExistingExclusive, folder)

/** Determines the owner by trying to take the lock. */
function ownerBy(tryLock: typeof tryExclusive, folder: string): Owner | null {
  // Without a lock file, there never was an owner. Checking must not create one.
  if (!existsSync(lockFile(folder))) return null
  const lock = tryLock(lockFile(folder), 0)
  if (lock) {
    lock.close()
    return null
  }
  try {
    const { processId, url } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as Owner
    return { processId, url }
  } catch {
    // The owner has the lock but has not written its name yet.
    return { processId: 0, url: null }
  }
}

const lockFile = (folder: string): string => join(folder, 'owner.db')

const ownerFile = (folder: string): string => join(folder, 'owner.json')
