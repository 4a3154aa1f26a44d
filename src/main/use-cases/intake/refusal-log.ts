import type { Arrival, Ending } from '../../library/db/callbacks.ts'

/**
 * Gathers callbacks that were turned away in the same turn of the event loop and writes them in one transaction, so
 * that a flood of forged ones costs one sync a turn and not one each.
 */
export function createRefusalLog(record: (ends: readonly { arrival: Arrival; ending: Ending }[]) => void) {
  let gathered: { arrival: Arrival; ending: Ending }[] = []
  let written: Promise<void> | null = null

  return (arrival: Arrival, ending: Ending): Promise<void> => {
    gathered.push({ arrival, ending })
    written ??= new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        const batch = gathered
        gathered = []
        written = null
        try {
          record(batch)
          resolve()
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    })
    return written
  }
}
