/**
 * Runs `work` on a list, with at most `lanes` jobs at once. After the first failure, starts no new jobs, waits for
 * those that run, and returns that failure; null on success.
 */
export async function inParallel<Item, Failure>(
  lanes: number,
  items: readonly Item[],
  job: (item: Item) => Promise<Failure | null>,
): Promise<Failure | null> {
  const ahead = items.values()
  const state: { failure: Failure | null; stopped: boolean } = { failure: null, stopped: false }
  const lane = async (): Promise<void> => {
    for (const item of ahead) {
      if (state.stopped) return
      try {
        const failure = await job(item)
        state.failure ??= failure
      } catch (error) {
        state.stopped = true
        throw error
      }
      if (state.failure !== null) state.stopped = true
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const thrown = ends.find((end) => end.status === 'rejected')
  if (thrown !== undefined) throw thrown.reason
  return state.failure
}

/** The results of `work` on each item, in the order of the items, with at most `lanes` jobs at once. */
export async function mapInParallel<Item, Value>(
  lanes: number,
  items: readonly Item[],
  job: (item: Item, at: number) => Promise<Value>,
): Promise<readonly Value[]> {
  const made: Value[] = []
  await inParallel(lanes, [...items.entries()], async ([at, item]) => {
    made[at] = await job(item, at)
    return null
  })
  return made
}
