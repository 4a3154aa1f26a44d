import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { tryExclusive } from './database/exclusive-file.ts'

/** Who serves a library: the one process that may run its listener and sweep its folders. */
export interface Owner {
  readonly processId: number
  /** Where its listener is reached, or null while it starts. */
  readonly url: string | null
}

/** The library is being served by another process, so its index cannot be replaced now. */
export class LibraryServedError extends Error {
  readonly code = 'library_in_use'
  constructor(processId: number) {
    super(
      `The index of this library has to be made anew, but ${processId === 0 ? 'another process' : `process ${processId}`} ` +
        'receives saves for it. Nothing was changed. Stop its listener, then try again.',
    )
  }
}

/** Held until `release`, or until the process is gone. */
export interface Ownership {
  /** Tells other processes where the listener is reached. */
  announce(url: string | null): void
  release(): void
}

/**
 * Takes the ownership of the library in `folder`; null when another process has it.
 * The lock is a file of its own: the index stays in normal locking, so that commands work beside the owner.
 */
export function takeOwnership(folder: string, processId: number): Ownership | null {
  // A command that asks who the owner is holds the lock for an instant: that is worth waiting out.
  const lock = tryLock(folder, 500)
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

/** The ownership of one library in this process: its parts hold it side by side, and the last one to release it gives it up. */
export function createOwnership(folder: string) {
  let held: Ownership | null = null
  let holders = 0
  let announced: string | null = null

  return {
    /** Null when another process owns the library. */
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
    /** Who owns the library right now, this process or another. */
    owner: (): Owner | null => (held ? { processId: process.pid, url: announced } : currentOwner(folder)),
    isElsewhere: (): boolean => held === null && currentOwner(folder) !== null,
  }
}

export type LibraryOwnership = ReturnType<typeof createOwnership>

/** Where a listener of the library was reached last; null when none ever was, or nobody remembers. */
export function lastListenedAt(folder: string): string | null {
  try {
    const { lastUrl } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as { lastUrl?: unknown }
    return typeof lastUrl === 'string' && URL.canParse(lastUrl) ? lastUrl : null
  } catch {
    return null
  }
}

/** The owner, where that is another process. */
export function otherOwner(folder: string): Owner | null {
  const owner = currentOwner(folder)
  return owner?.processId === process.pid ? null : owner
}

/** Throws LibraryServedError while another process owns the library. */
export function demandNoOtherOwner(folder: string): void {
  const owner = otherOwner(folder)
  if (owner !== null) throw new LibraryServedError(owner.processId)
}

/** The process that owns the library right now, or null; found out by holding the lock for an instant. */
export function currentOwner(folder: string): Owner | null {
  // Nobody ever had it; asking leaves nothing behind.
  if (!existsSync(lockFile(folder))) return null
  const lock = tryLock(folder, 0)
  if (lock) {
    lock.close()
    return null
  }
  try {
    const { processId, url } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as Owner
    return { processId, url }
  } catch {
    // The owner is between taking the lock and writing its name: it exists all the same.
    return { processId: 0, url: null }
  }
}

const lockFile = (folder: string): string => join(folder, 'owner.db')
const tryLock = (folder: string, waitMs: number) => tryExclusive(lockFile(folder), waitMs)

const ownerFile = (folder: string): string => join(folder, 'owner.json')
