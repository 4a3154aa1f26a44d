import { closeSync, fsync, fsyncSync, openSync } from 'node:fs'

/** Makes what was created, renamed and removed in a folder outlive a power cut; Windows has no such call and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    await new Promise<void>((resolve, reject) => fsync(descriptor, (error) => (error ? reject(error) : resolve())))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Syncs folders for all that ask at the same time. One that asks while a sync runs gets the next: what it moved into the
 * folder may have come too late for this one. A sync that fails fails for all that share it.
 */
export function createFolderSyncs(): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()

  function start(path: string): Promise<void> {
    const sync = syncFolder(path).finally(() => {
      if (running.get(path) === sync) running.delete(path)
    })
    running.set(path, sync)
    return sync
  }

  return (path) => {
    const current = running.get(path)
    if (current === undefined) return start(path)
    const known = next.get(path)
    if (known !== undefined) return known
    const after = (): Promise<void> => {
      next.delete(path)
      return start(path)
    }
    const shared = current.then(after, after)
    next.set(path, shared)
    return shared
  }
}

/** The same where the caller may not wait: inside a commit. */
export function syncFolderNow(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Brings a file that was written to the disk. */
export function syncFileNow(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
