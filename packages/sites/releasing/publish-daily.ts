import type { Index } from '@galley/library'
import type { Target } from '@galley/library/records'
import { describeFault, failureWords } from '@galley/wire'

import { themeSources } from '../exporting/theme-choice.ts'
import type { Releasing } from './releasing.ts'
import { createSchedule } from './schedule.ts'

/** What daily publishing needs from an open library. */
export interface DailyPorts {
  readonly index: Pick<Index, 'targets' | 'settings' | 'sites' | 'publishing'>
  readonly releasing: Pick<Releasing, 'publish' | 'isTakenBack'>
  readonly now: () => Date
}

/** The publishing schedule of a library. Successes are in the target's history, failures in the log. */
export function dailySchedule(
  { index, releasing, now }: DailyPorts,
  themesFolder: string,
  log: (line: string) => void,
) {
  const closing = new AbortController()
  const themesOf = (theme: string): readonly string[] => themeSources(themesFolder, theme)

  async function publish(target: Target): Promise<boolean> {
    const site = index.sites.find(target.site)
    if (site === null) return true
    const name = `${target.site}, ${target.name}`
    try {
      if (await releasing.isTakenBack(site, target)) return true
      const task = { signal: closing.signal, progress: () => undefined }
      const published = await releasing.publish({ site, target, themesOf, by: 'schedule' }, task)
      if (!published.ok) log(`publishing on schedule failed (${name}): ${failureWords(published.failure)}`)
      else if (published.value.changes.length > 0)
        log(`published on schedule (${name}): ${published.value.release ?? ''}`)
    } catch (error) {
      log(`publishing on schedule failed (${name}): ${describeFault(error)}`)
    }
    return !closing.signal.aborted
  }

  const schedule = createSchedule({ index, now, publish })
  return {
    checkNow: schedule.checkNow,
    start(): () => void {
      const stop = schedule.start()
      return () => {
        stop()
        closing.abort()
      }
    },
  }
}
