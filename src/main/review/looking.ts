import type { ChangeFeed, Reviewing } from '@galley/library'

import type { Ignored } from './ignored.ts'
import type { PagePictureStore } from './page-pictures.ts'

interface Ports {
  readonly reviewing: Pick<Reviewing, 'compareLater' | 'queue'>
  readonly pictures: Pick<PagePictureStore, 'looks'>
  readonly ignored: Pick<Ignored, 'key'>
  readonly changes: Pick<ChangeFeed, 'watch'>
  /** Resolves when no save is running. */
  readonly whenIdle: () => Promise<void>
}

/** Changes after which other pages may be due. */
const leading: ReadonlySet<string> = new Set(['comparisons', 'materials', 'marks'])
/** Pages of all sites that changed; more are looked at when these are decided. */
const waiting: Parameters<Reviewing['queue']>[0] = {
  site: null,
  states: ['changed'],
  order: 'oldest',
  offset: 0,
  limit: 500,
}

/**
 * Looks at the waiting pages of which nothing changed, one after the other, whenever what is known of them does: they can be
 * approved together, or by a rule, only if pictures of them are equal too. One that could not be looked at is left to the
 * next start.
 */
export function createLooking({ reviewing, pictures, ignored, changes, whenIdle }: Ports) {
  const asked = new Set<string>()
  let isStopped = false
  let isLooking = false
  let isDue = false

  async function lookAll(): Promise<void> {
    if (isStopped) return
    const { rows } = reviewing.queue(waiting)
    // What differs in their texts becomes known later, which is a change that leads here again.
    reviewing.compareLater(rows.filter(({ summary }) => summary === null))
    for (const { site, materialId, version, baseline, summary } of rows) {
      if (baseline === null || summary?.isUnchanged !== true || summary.looksEqual !== null) continue
      const pair = { site, materialId, before: baseline.versionId, after: version.versionId, inTheme: false }
      const key = JSON.stringify([pair, ignored.key(pair)])
      if (asked.has(key)) continue
      asked.add(key)
      await whenIdle()
      if (isStopped) return
      await pictures.looks(pair, () => !isStopped).catch(() => null)
    }
  }

  function look(): void {
    isDue = true
    if (isLooking) return
    isLooking = true
    void (async () => {
      while (isDue) {
        isDue = false
        await lookAll()
      }
    })()
      .catch(() => null)
      .finally(() => {
        isLooking = false
      })
  }
  const stopWatching = changes.watch(({ subjects }) => {
    if (subjects.some((subject) => leading.has(subject))) look()
  })

  void whenIdle().then(look, () => null)

  return {
    stop(): void {
      isStopped = true
      stopWatching()
    },
  }
}
