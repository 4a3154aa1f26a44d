import type { AppSettings, CallbackRecord } from '@galley/library/records'
import { coalesced } from '@galley/platform'
import type { TFunction } from 'i18next'

/** A system notification. */
export interface Notice {
  readonly title: string
  readonly body: string
  readonly callback: CallbackRecord
}

interface Edges {
  readonly t: () => TFunction<'system'>
  readonly preferences: () => AppSettings['notifications']
  /** Whether a person is looking at the window, so that no notification is needed. */
  readonly isWatched: () => boolean
  /** The name of a save: the title of its material. */
  readonly nameOf: (callback: CallbackRecord) => string
  readonly show: (notice: Notice) => void
}

/** How long arrivals are collected: an editor that saves all its pages causes one notification. */
export const batchMs = 1500

/**
 * Notifies about callbacks while the window has no focus: stored saves and failures, as the settings say. Ignores
 * duplicates, and callbacks without a valid signature, which anyone can send.
 */
export function createNotices({ t, preferences, isWatched, nameOf, show }: Edges) {
  let saves: CallbackRecord[] = []

  const batched = coalesced(batchMs, () => {
    const [newest] = saves
    const { length: count } = saves
    saves = []
    if (newest === undefined || isWatched()) return
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
      if (outcome === 'stored' && preferences().saves) {
        saves = [callback, ...saves]
        batched.soon()
      }
      const isFailure = outcome === 'failed' || outcome === 'refused' || outcome === 'rejected'
      if (isFailure && preferences().failures && callback.signature === 'valid' && !isWatched())
        show({ title: t()('refused.title'), body: nameOf(callback), callback })
    },
    stop: batched.stop,
  }
}
