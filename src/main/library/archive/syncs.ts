import { closeSync, fsync } from 'node:fs'

/** Brings finished files to the disk while the next ones are unpacked. */
export interface Syncs {
  /** Takes the open file over: syncs it in the background, then closes it. */
  add(fd: number): void
  /** Resolves when another file may be added; at once, most of the time. */
  room(): Promise<void>
  /** Resolves when nothing is under way any more, well or not. */
  idle(): Promise<void>
  /** Resolves when everything added has reached the disk; throws the first failure. */
  settle(): Promise<void>
}

/** Open at once; few, since all threads of the process share one small pool for this, and file handles are limited. */
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
      // After a failed sync nothing may be acknowledged: the pages may be gone from memory too.
      if (problem !== null) throw problem
    },
  }
}
