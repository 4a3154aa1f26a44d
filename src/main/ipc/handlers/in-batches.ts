import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows per transaction. It takes some milliseconds, so that a save does not wait for twenty thousand rows. */
const batch = 200

/** Processes many records in several transactions, so that saves can run between them. */
export async function inBatches<Key>(
  keys: readonly Key[],
  work: (some: readonly Key[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < keys.length; at += batch) {
    await work(keys.slice(at, at + batch))
    await nextTurn()
  }
}
