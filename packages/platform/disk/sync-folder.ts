import { closeSync, fsync, fsyncSync, openSync } from 'node:fs'

import { cannotSync } from './share-limits.ts'

/**
 * Syncs a folder, so that created, renamed and removed entries survive a power failure. Windows has no such call and needs
 * none. Where the file system cannot sync a folder, its entries are as durable as it makes them.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    await new Promise<void>((resolve, reject) =>
      fsync(descriptor, (error) => (error && !cannotSync(error) ? reject(error) : resolve())),
    )
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Shares folder syncs between concurrent callers. A caller that asks during a sync gets the next one, because its rename may
 * be too late for the current one. If a sync fails, it fails for all its callers.
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

/** Synchronous variant for use inside a commit. */
export function syncFolderNow(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    if (!cannotSync(error)) throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Syncs a written file to disk. */
export function syncFileNow(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
