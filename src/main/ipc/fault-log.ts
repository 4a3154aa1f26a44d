import type { PageFault } from '../../ipc/diagnostics.ts'

/** A broken page may report errors endlessly; the first ones are enough. */
const faultsAMinute = 20

/** Logs the errors of a page of Galley. */
export function faultLog(page: string, log: (line: string) => void): (fault: PageFault) => null {
  let minute = 0
  let faults = 0
  return ({ caughtBy, position }) => {
    const now = Math.floor(performance.now() / 60_000)
    if (now !== minute) [minute, faults] = [now, 0]
    faults += 1
    if (faults <= faultsAMinute) log(`an error in ${page}, caught by its ${caughtBy}: ${position}`)
    return null
  }
}
