/** The emulator's clock, which tests and trainings can move; it ticks on from where it was put. */
export interface Clock {
  readonly nowMs: () => number
  readonly moveTo: (ms: number) => void
  /** Takes all moves back. */
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
