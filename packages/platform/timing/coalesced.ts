/** Work that runs once for all requests within a period. */
export interface Coalesced {
  soon(): void
  /** Drops pending requests. */
  stop(): void
}

/** Runs `work` this long after the first request. Does not keep the process alive. */
export function coalesced(afterMs: number, work: () => void): Coalesced {
  let timer: NodeJS.Timeout | null = null
  const run = (): void => {
    timer = null
    work()
  }
  return {
    soon(): void {
      timer ??= setTimeout(run, afterMs).unref()
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
