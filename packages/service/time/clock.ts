/** The emulator's clock, which tests and trainings can set; it keeps running. */
export interface Clock {
  readonly nowMs: () => number
  readonly moveTo: (ms: number) => void
  /** Returns to the system time. */
  readonly reset: () => void
}

export function createClock(now: () => Date): Clock {
  let aheadMs = 0
  return {
    nowMs: () => now().getTime() + aheadMs,
    moveTo(ms) {
      aheadMs = ms - now().getTime()
    },
    reset() {
      aheadMs = 0
    },
  }
}
