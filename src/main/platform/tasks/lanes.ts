/** Processes items with limited concurrency until they end or the signal aborts. The first error stops it. */
export async function inLanes<Item>(
  lanes: number,
  items: Iterable<Item>,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const ahead = items[Symbol.iterator]()
  const failed = new AbortController()
  const lane = async (): Promise<void> => {
    for (let next = ahead.next(); next.done !== true; next = ahead.next()) {
      signal.throwIfAborted()
      if (failed.signal.aborted) return
      await work(next.value).catch((error: unknown) => {
        failed.abort()
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const thrown = ends.find((end) => end.status === 'rejected')
  if (thrown !== undefined) throw thrown.reason
}
