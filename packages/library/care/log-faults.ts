import { setImmediate as nextTurn } from 'node:timers/promises'

import type { OpenedLibrary } from '../db/open/open-library.ts'
import { logStart } from '../log/mark.ts'
import type { LogFault } from '../log/read-log.ts'
import type { Entry } from '../records/changes.ts'

/** Entries to read before yielding to the event loop. */
const entriesAtOnce = 200

/**
 * Reads the whole log and returns its faults. Checks every hash and link. Entries before the log are no fault if a checkpoint
 * has them: then the log was folded.
 */
export async function logFaults(
  { log, checkpoints }: Pick<OpenedLibrary, 'log' | 'checkpoints'>,
  signal: AbortSignal,
  onEntry?: (entry: Entry) => void,
): Promise<readonly LogFault[]> {
  const faults: LogFault[] = []
  const [folded = 0] = await checkpoints.positions()
  let count = 0
  for (const item of log.read(logStart)) {
    if (item.kind === 'fault') faults.push(...beyond(folded, item.fault))
    else onEntry?.(item.entry)
    count += 1
    if (count % entriesAtOnce !== 0) continue
    signal.throwIfAborted()
    await nextTurn()
  }
  return faults
}

/** The part of a fault that no checkpoint covers. */
function beyond(folded: number, fault: LogFault): readonly LogFault[] {
  if (fault.kind !== 'missing' || fault.position !== 1 || folded === 0) return [fault]
  return fault.count > folded ? [{ ...fault, position: folded + 1, count: fault.count - folded }] : []
}

/** Whether the log has every entry, and the index too. Otherwise an unreferenced file may belong to a lost save. */
export const isLogWhole = async (library: OpenedLibrary, signal: AbortSignal): Promise<boolean> =>
  library.state === 'whole' && !lacksEntries(library) && (await logFaults(library, signal)).length === 0

/** Whether the log had lost entries when the index was built. Lost saves may use the files of those that are deleted. */
export const lacksEntries = ({ index }: Pick<OpenedLibrary, 'index'>): boolean => index.lostEntries().length > 0
