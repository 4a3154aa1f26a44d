import { closeSync, fsync } from 'node:fs'

/** Syncs finished files to disk while the next ones are unpacked. */
export interface Syncs {
  /** Takes ownership of the open file: syncs it in the background, then closes it. */
  add(fd: number): void
  /** Resolves when another file may be added, usually at once. */
  room(): Promise<void>
  /** Resolves when no sync is running, whether they succeeded or failed. */
  idle(): Promise<void>
  /** Resolves when all added files are on disk. Throws the first failure. */
  settle(): Promise<void>
}

/** The maximum of concurrent syncs: all threads share the libuv pool, and file handles are limited. */
const pendingMax = 8

export function createSyncs(): Syncs {
  let pending = 0
  let problem: Error | null = null
  let wake: (() => void) | null = null
  const until = async (count: number): Promise<void> => {
    if (pending <= count) return
    await new Promise<void>((resolve) => (wake = resolve))
    await until(count)
  }
  return {
    add: (fd) => {
      pending += 1
      fsync(fd, (error) => {
        problem ??= error
        closeSync(fd)
        pending -= 1
        wake?.()
      })
    },
    room: () => until(pendingMax - 1),
    idle: () => until(0),
    settle: async () => {
      await until(0)
      // After a failed sync nothing may be acknowledged: the dirty pages may have been dropped from memory.
      if (problem !== null) throw problem
    },
  }
}
