import { setTimeout as timer } from 'node:timers/promises'

/** Waits for this time, or until the emulator closes. */
export const wait = (ms: number, closing: AbortSignal): Promise<void> =>
  timer(ms, undefined, { signal: closing }).catch(() => undefined)
