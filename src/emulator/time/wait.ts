import { setTimeout as timer } from 'node:timers/promises'

/** Waits, but no longer than the emulator runs. */
export const wait = (ms: number, closing: AbortSignal): Promise<void> =>
  timer(ms, undefined, { signal: closing }).catch(() => undefined)
