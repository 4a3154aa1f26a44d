/**
 * Works through a list with at most `lanes` jobs at once. Stops taking new items after the first failure, waits for
 * those that run, and gives that failure; null when all went well.
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

/** What a job makes of each item, in the order of the items, with at most `lanes` jobs at once. */
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
