import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaterialId } from '@galley/wire'

/** Rows per transaction. It takes some milliseconds, so that a save does not wait for twenty thousand rows. */
const batch = 200

/** Processes many materials in several transactions, so that saves can run between them. */
export async function inBatches(
  ids: readonly MaterialId[],
  work: (some: readonly { readonly materialId: MaterialId }[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += batch) {
    await work(ids.slice(at, at + batch).map((materialId) => ({ materialId })))
    await nextTurn()
  }
}
