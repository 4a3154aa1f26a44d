import type { Reviewing } from '@galley/library'
import type { SiteId } from '@galley/wire'

import type { WaitingPage } from '../../ipc/desk.ts'

const listedAtMost = 500

/** The pages of a site whose current version waits for a decision, oldest first. */
export function waitingPages(reviewing: Pick<Reviewing, 'queue'>, site: SiteId): readonly WaitingPage[] {
  const query = { site, states: ['new' as const, 'changed' as const], offset: 0, limit: listedAtMost }
  return reviewing
    .queue({ ...query, order: 'oldest' })
    .rows.map(({ materialId, title, version, baseline, since, savedBy: by }) => ({
      site,
      materialId,
      title,
      before: baseline?.versionId ?? null,
      after: version.versionId,
      number: version.number,
      since,
      by,
    }))
}
