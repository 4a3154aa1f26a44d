import type { Index } from '@galley/library'
import { baselineOf } from '@galley/library'
import type { SiteId } from '@galley/wire'

import type { WaitingPage } from '../../ipc/desk.ts'

const listedAtMost = 500

/** The pages of a site whose current version waits for a decision, oldest first. */
export function waitingPages(index: Index, site: SiteId): readonly WaitingPage[] {
  const { rows } = index.materialList.query({
    site,
    text: '',
    filters: { statuses: ['saved'], tags: [], editors: [], savedAfter: null, savedBefore: null, archived: false },
    sort: { by: 'saved', direction: 'up' },
    offset: 0,
    limit: listedAtMost,
  })
  return rows.flatMap(({ materialId, title, currentVersionId: after, savedAt: since, savedBy: by }) => {
    if (after === null || since === null) return []
    const before = baselineOf(index, site, materialId)
    const version = index.versions.find(site, materialId, after)
    if (version === null || before === after) return []
    return { site, materialId, title, before, after, number: version.number, since, by }
  })
}
