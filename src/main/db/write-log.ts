import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Change } from '../../contract/log/changes.ts'
import type { LibraryLog, LogMark } from '../log/log.ts'
import { logStart } from '../log/log.ts'

/** Few enough for a slice of the main thread, many enough that syncs do not count. */
const changesAtOnce = 300

/** Writes a log from its first entry on; the log must be empty. Gives the mark of its last entry. */
export async function writeLog(
  log: LibraryLog,
  { library, at }: { readonly library: string; readonly at: string },
  changes: Iterable<Change>,
): Promise<LogMark> {
  let mark = log.append(logStart, [{ kind: 'library_named', library, at }])
  let batch: Change[] = []
  for (const change of changes) {
    batch.push(change)
    if (batch.length < changesAtOnce) continue
    mark = log.append(mark, batch)
    batch = []
    await nextTurn()
  }
  return batch.length === 0 ? mark : log.append(mark, batch)
}
