import type { AppSettingsStore, IndexWith, Reviewing } from '@galley/library'
import { cleared, decide, personHere } from '@galley/library'
import type { Change } from '@galley/library/records'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { reviewQueueCalls } from '../../../ipc/review-queue.ts'

export interface ReviewQueuePorts {
  readonly reviewing: Reviewing
  readonly index: IndexWith<'commit' | 'fields'>
  readonly settings: Pick<AppSettingsStore, 'read'>
  readonly now: () => Date
}

/** Calls about pages that wait for a decision, what changed in them, and decisions about them. */
export function reviewQueueHandlers(
  { reviewing, index, settings, now }: ReviewQueuePorts,
  changed: (change: Change) => void,
): HandlersOf<typeof reviewQueueCalls> {
  return {
    reviewQueue: (query) => reviewing.queue(query),
    reviewRow: ({ site, materialId }) => reviewing.row(site, materialId),
    compareLater({ pages }) {
      reviewing.compareLater(pages)
      return null
    },
    async changeAmount(pair) {
      const found = await reviewing.amount(pair)
      return found && { changes: found.changes, words: found.words.added + found.words.removed }
    },
    compareVersions: (pair) => reviewing.compare(pair),
    lastDecision: ({ site }) => index.versionList.lastBy(personHere(settings.read()), site),
    approveUnchanged: ({ site }) => reviewing.approveUnchanged(site, personHere(settings.read())),
    async decideReview({ verdict, ...version }) {
      const given = { ...(verdict ?? cleared), by: personHere(settings.read()), at: now().toISOString() }
      const done = await index.commit.write(() => decide(index, version, given))
      if (!done.ok) return fail({ code: done.failure })
      const { site, materialId } = version
      changed({ subjects: ['marks'], materials: [{ site, materialId }] })
      return ok(null)
    },
  }
}
