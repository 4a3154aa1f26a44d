import { setImmediate as nextTurn } from 'node:timers/promises'

import type { LibraryLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import { logStart } from '../../log/mark.ts'
import type { Change } from '../../records/changes.ts'
import { asRead } from '../../records/changes.ts'

/** Small enough for a slice of the main thread, large enough to amortize the syncs. */
const changesAtOnce = 300
const textAtOnce = 4 * 1024 ** 2

/**
 * Writes a log from its first entry; the log must be empty. Returns the mark of its last entry. Throws UnloggableError for a change
 * that could not be read again.
 */
export async function writeLog(
  log: LibraryLog,
  { library, at }: { readonly library: string; readonly at: string },
  changes: Iterable<Change>,
): Promise<LogMark> {
  let mark = log.append(logStart, [{ kind: 'library_named', library, at }])
  let batch: Change[] = []
  let textLength = 0
  for (const change of changes) {
    batch.push(asRead(change))
    textLength += JSON.stringify(change).length
    if (batch.length < changesAtOnce && textLength < textAtOnce) continue
    mark = log.append(mark, batch)
    batch = []
    textLength = 0
    await nextTurn()
  }
  return batch.length === 0 ? mark : log.append(mark, batch)
}
