/** Work that is done once for everything that asks for it within a stretch of time. */
export interface Gathered {
  soon(): void
  /** What was asked for and not done yet is dropped. */
  stop(): void
}

/** `work` runs that long after the first that asks for it; it does not keep the process alive. */
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
