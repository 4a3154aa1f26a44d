import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows that change in one transaction: some milliseconds, so that a save need not wait for twenty thousand of them. */
const batch = 200

/** Does work on many ids in several transactions, with room for saves between them. */
export async function inBatches(
  ids: readonly string[],
  work: (some: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += batch) {
    await work(ids.slice(at, at + batch))
    await nextTurn()
  }
}
