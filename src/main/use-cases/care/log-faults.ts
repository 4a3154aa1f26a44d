import { setImmediate as nextTurn } from 'node:timers/promises'

import type { LibraryLog } from '../../library/log/log.ts'
import type { LogFault } from '../../library/log/read-log.ts'
import { logStart } from '../../library/log/mark.ts'

/** Entries to read before yielding to the event loop. */
const entriesAtOnce = 200

/** Reads the whole log and returns its faults. Checks every hash and link. A folded log starts at a checkpoint. */
export async function logFaults(log: LibraryLog, signal: AbortSignal): Promise<readonly LogFault[]> {
  const faults: LogFault[] = []
  const first = log.segments()[0] ?? 1
  let count = 0
  for (const item of log.read(logStart)) {
    const isFolded = item.kind === 'fault' && item.fault.kind === 'missing' && item.fault.segment === first
    if (item.kind === 'fault' && !isFolded) faults.push(item.fault)
    count += 1
    if (count % entriesAtOnce !== 0) continue
    signal.throwIfAborted()
    await nextTurn()
  }
  return faults
}
