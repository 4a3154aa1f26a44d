import type { SiteId } from '@galley/wire'

import type { ActivityHour } from '../../views/callbacks.ts'
import { activityHours } from '../../views/callbacks.ts'
import type { ReadHandle } from '../database/read-handle.ts'

interface Row {
  hour: number
  total: number
  not_stored: number
}

/** How many callbacks came in each hour, for the small chart above the log. */
export function createCallbackActivity(db: ReadHandle) {
  // Callbacks are stored in the order of their arrival, so only those of the last hours are read.
  const hours = db.prepare<{ site: SiteId | null; since: string; last: number }, Row>(
    `SELECT min(@last, (unixepoch(received_at) - unixepoch(@since)) / 3600) AS hour, count(*) AS total,
       count(*) FILTER (WHERE outcome NOT IN ('stored', 'duplicate')) AS not_stored
     FROM callback
     WHERE arrival > coalesce((SELECT arrival FROM callback WHERE received_at < @since ORDER BY arrival DESC LIMIT 1), 0)
       AND (@site IS NULL OR site = @site) AND outcome IS NOT NULL
     GROUP BY hour`,
  )
  return {
    /** The hours from `since` on, oldest first. Callbacks with a date in the future count for the last hour. */
    since(site: SiteId | null, since: string): readonly ActivityHour[] {
      const found = new Map(hours.all({ site, since, last: activityHours - 1 }).map((row) => [row.hour, row]))
      return Array.from({ length: activityHours }, (_, at): ActivityHour => {
        const row = found.get(at)
        return { total: row?.total ?? 0, notStored: row?.not_stored ?? 0 }
      })
    },
  }
}
