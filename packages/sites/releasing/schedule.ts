import type { Index } from '@galley/library'
import type { Target } from '@galley/library/records'
import { timeZone } from '@galley/library/records'

const checkIntervalMs = 30_000

export interface SchedulePorts {
  readonly index: Pick<Index, 'targets' | 'settings' | 'publishing'>
  readonly now: () => Date
  /** Publishes if something has changed, and logs the result. False: it was stopped before its end. */
  readonly publish: (target: Target) => Promise<boolean>
}

/** The latest moment at which a target with this schedule was due, where `schedule` is a wall time in a time zone. */
export function lastDue(schedule: string, zone: string, now: Date): Date {
  const { wallOf, momentOf } = timeZone(zone)
  const wall = Date.parse(`${wallOf(now.toISOString())}Z`)
  // Computed for each day: when the clock goes forward, the time may not exist on that day.
  const daysAgo = (days: number): Date => {
    const [day = ''] = new Date(wall - days * 86_400_000).toISOString().split('T')
    return new Date(momentOf(`${day}T${schedule}`) ?? now)
  }
  const today = daysAgo(0)
  return today.getTime() > now.getTime() ? daysAgo(1) : today
}

/** The name of the note of when a schedule last ran on this machine. In another zone it is another schedule. */
export const scheduleNote = ({ site, name, schedule }: Target, zone: string): string =>
  `schedule/${site}/${name}/${schedule} ${zone}`

/**
 * Publishes every day at the time set for each target. Each machine notes when it last ran; a missed time is made up for
 * once. A target that is new to the schedule waits for its next time: from when it was set on this machine, elsewhere from
 * when it was first seen.
 */
export function createSchedule({ index, now, publish }: SchedulePorts) {
  let running: Promise<void> | null = null
  async function publishDue(): Promise<void> {
    for (const target of index.targets.all()) {
      if (target.schedule === null) continue
      const zone = index.publishing.of(target.site).timeZone
      const note = scheduleNote(target, zone)
      const at = now()
      const due = lastDue(target.schedule, zone, at).toISOString()
      const before = index.settings.get(note)
      const begun = `${due} begun`
      // A note of the future was made while the clock was ahead.
      if (before !== null && before !== begun && before >= due && before <= at.toISOString()) continue
      // Noted first: a publication that was cut off is made up for once, and a failed one is tried again the next day.
      index.settings.put(note, before === null || before === begun ? due : begun)
      if (before !== null && (await publish(target))) index.settings.put(note, due)
    }
  }

  /** Checks which targets are due; one check at a time. */
  const checkNow = (): Promise<void> => (running ??= publishDue().finally(() => (running = null)))

  return {
    checkNow,
    /** Checks regularly until the returned function is called. */
    start(): () => void {
      const timer = setInterval(() => void checkNow(), checkIntervalMs).unref()
      void checkNow()
      return () => clearInterval(timer)
    },
  }
}
