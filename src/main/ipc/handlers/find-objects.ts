import type { IndexReads } from '@galley/library'
import { searchKinds } from '@galley/library/records'
import type { SearchFound } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { folded } from '@galley/wire'

import type { FoundObject, FoundObjects } from '../../../ipc/materials.ts'
import { noFilters } from '../../../ipc/materials.ts'

/** Objects of the library whose name or text matches; without a text, the latest materials of a site. */
export function findObjects(index: IndexReads, site: SiteId | null, text: string, limit: number): FoundObjects {
  const wanted = folded(text.trim())
  if (wanted === '') return { found: site === null ? [] : latest(index, site, limit), unread: 0 }
  const sites = index.sites.list()
  const isNamed = (name: string): boolean => folded(name).includes(wanted)
  // The first ones of all sites may all be of another one.
  const asked = [...(site === null || sites.length < 2 ? [] : [site]), null]
  const answers = asked.map((of) => index.search.ask({ site: of, text, kinds: searchKinds, versions: 'newest', limit }))
  const hits = new Map(answers.flatMap(({ found }) => found.map((each) => [JSON.stringify(each), each])))
  return {
    found: [
      ...searchKinds.flatMap((kind) => [...hits.values()].filter((each) => each.kind === kind).slice(0, limit)),
      ...named(index, isNamed).slice(0, limit),
      ...sites
        .filter(({ id, name }) => isNamed(id) || isNamed(name))
        .map(({ id, name, environment }): FoundObject => ({ kind: 'site', site: id, name, environment }))
        .slice(0, limit),
    ],
    unread: answers[0]?.unread ?? 0,
  }
}

const named = ({ sites, snapshots }: IndexReads, isNamed: (name: string) => boolean): readonly FoundObject[] =>
  sites.list().flatMap(({ id }) =>
    snapshots
      .list(id)
      .filter(({ snapshotId }) => isNamed(snapshotId))
      .map(({ snapshotId, receivedAt }): FoundObject => ({ kind: 'snapshot', site: id, snapshotId, receivedAt })),
  )

const latest = ({ materialList }: IndexReads, site: SiteId, limit: number): readonly SearchFound[] =>
  materialList
    .query({ site, text: '', filters: noFilters, sort: { by: 'saved', direction: 'down' }, offset: 0, limit })
    .rows.map(({ materialId, title, currentVersionId, savedAt, savedBy }) => ({
      kind: 'title',
      site,
      materialId,
      title,
      versionId: currentVersionId,
      olderNumber: null,
      id: null,
      by: savedBy,
      decision: null,
      excerpt: [],
      at: savedAt,
    }))
