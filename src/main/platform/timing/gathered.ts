/** Work that runs once for all requests within a period. */
export interface Gathered {
  soon(): void
  /** Drops pending requests. */
  stop(): void
}

/** Runs `work` this long after the first request. Does not keep the process alive. */
export function gathered(afterMs: number, work: () => void): Gathered {
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
