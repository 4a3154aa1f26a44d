import type { IndexReads } from '@galley/library'
import type { CallbackRow } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { folded } from '@galley/wire'

import type { FoundObject } from '../../../ipc/materials.ts'
import { noFilters } from '../../../ipc/materials.ts'

/** Objects of the library whose name or text matches, best first; without a text, the latest materials. */
export function findObjects(
  { sites: allSites, materialList, callbackList, snapshots }: IndexReads,
  site: SiteId | null,
  text: string,
  limit: number,
): readonly FoundObject[] {
  const sites = allSites.list()
  const wanted = folded(text.trim())
  const isNamed = (name: string): boolean => folded(name).includes(wanted)
  const inSites = sites.filter(({ id }) => site === null || id === site)
  const found = inSites.flatMap(({ id }): readonly FoundObject[] => {
    const sort = { by: wanted === '' ? 'saved' : 'relevance', direction: 'down' } as const
    const { rows } = materialList.query({ site: id, text, filters: noFilters, sort, offset: 0, limit })
    return rows.map(({ materialId, title, hit }) => ({ kind: 'material', site: id, materialId, title, hit }) as const)
  })
  if (wanted === '') return found.slice(0, limit)
  const callback = callbackList.find(text.trim())
  return [
    ...sites
      .filter(({ id, name }) => isNamed(id) || isNamed(name))
      .map(({ id, name, environment }): FoundObject => ({ kind: 'site', site: id, name, environment })),
    ...(callback ? [callbackObject(callback)] : []),
    ...found,
    ...inSites.flatMap(({ id }) =>
      snapshots
        .list(id)
        .filter(({ snapshotId }) => isNamed(snapshotId))
        .map(({ snapshotId, receivedAt }): FoundObject => ({ kind: 'snapshot', site: id, snapshotId, receivedAt })),
    ),
  ].slice(0, limit)
}

const callbackObject = ({ site, id, receivedAt }: CallbackRow): FoundObject => ({
  kind: 'callback',
  site,
  id,
  receivedAt,
})
