import type { SleepGap } from '../../../contract/ipc/health.ts'
import type { Index } from '../../library/db/library-index.ts'
import { isStorageFault, storageReason } from '../../platform/disk/storage-reason.ts'

const name = 'sleep-gaps'
const gapsKept = 20
const tickMs = 10_000
/** If the process did not run for longer than this, the computer and the listener were asleep. */
const asleepMs = 60_000

/** Clears the known gaps. Later ones are reported again. */
export const forgetSleepGaps = (settings: Index['settings']): void => settings.put(name, '[]')

/** Detects that the computer was asleep, so that callbacks were not answered. */
export function createSleepWatch(settings: Index['settings'], nowMs: () => number, log: (line: string) => void) {
  let lastMs = nowMs()
  const read = (): readonly SleepGap[] => JSON.parse(settings.get(name) ?? '[]') as SleepGap[]
  const tick = (): void => {
    const [from, to] = [lastMs, nowMs()]
    lastMs = to
    if (to - from < asleepMs) return
    const gap: SleepGap = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    log(`asleep from ${gap.from} to ${gap.to}: callbacks sent during that time did not arrive`)
    try {
      settings.put(name, JSON.stringify([...read(), gap].slice(-gapsKept)))
    } catch (error) {
      if (!isStorageFault(error)) throw error
      log(`this could not be recorded: ${storageReason(error)}`)
    }
  }
  let timer: NodeJS.Timeout | null = null
  return {
    read,
    tick,
    start(): void {
      lastMs = nowMs()
      timer ??= setInterval(tick, tickMs).unref()
    },
    stop(): void {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}
