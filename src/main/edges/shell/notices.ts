import type { TFunction } from 'i18next'

import type { CallbackRecord } from '../../../contract/domain/callback-record.ts'
import type { AppSettings } from '../../../contract/ipc/settings.ts'
import { gathered } from '../../platform/timing/gathered.ts'

/** A notification of the system. */
export interface Notice {
  readonly title: string
  readonly body: string
  readonly callback: CallbackRecord
}

interface Edges {
  readonly t: () => TFunction<'system'>
  readonly wishes: () => AppSettings['notifications']
  /** Whether a person looks at the window: then it tells by itself. */
  readonly isLookedAt: () => boolean
  /** What a save is called: the title of its material. */
  readonly nameOf: (callback: CallbackRecord) => string
  readonly show: (notice: Notice) => void
}

/** How long arrivals are gathered: an editor that saves all its pages is one notification. */
export const gatherMs = 1500

/**
 * Tells of arrivals while nobody looks: saves as far as wished, what was not taken more so. Duplicates are no news,
 * and what an unknown sender tried is none of the person's business.
 */
export function createNotices({ t, wishes, isLookedAt, nameOf, show }: Edges) {
  let saves: CallbackRecord[] = []

  const telling = gathered(gatherMs, () => {
    const [newest] = saves
    const { length: count } = saves
    saves = []
    if (newest === undefined || isLookedAt()) return
    const material = nameOf(newest)
    show(
      count === 1
        ? { title: t()('saved.title'), body: material, callback: newest }
        : { title: t()('savedMany.title', { count }), body: t()('savedMany.text', { material }), callback: newest },
    )
  })
  return {
    arrived(callback: CallbackRecord): void {
      const { outcome } = callback
      if (outcome === 'stored' && wishes().saves) {
        saves = [callback, ...saves]
        telling.soon()
      }
      const isTrouble = outcome === 'failed' || outcome === 'refused' || outcome === 'rejected'
      if (isTrouble && wishes().failures && callback.signature === 'valid' && !isLookedAt())
        show({ title: t()('refused.title'), body: nameOf(callback), callback })
    },
    stop: telling.stop,
  }
}
