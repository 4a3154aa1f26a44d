import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { OnlinePage } from '../../records/release.ts'
import type { ReadHandle } from '../database/read-handle.ts'

interface Row {
  materialId: MaterialId
  target: string
  versionId: VersionId
  number: number
  since: string
}

/** What readers see of each page, by target name, according to the last release of each target. */
export function createOnlinePages(db: ReadHandle) {
  const select = `SELECT m.material_id AS materialId, o.target, v.version_id AS versionId, v.number, o.since
    FROM material m CROSS JOIN online_page o ON o.material = m.id JOIN version v ON v.id = o.version`
  const one = db.prepare<[string, string], Row>(`${select} WHERE m.site = ? AND m.material_id = ? ORDER BY o.target`)
  const toPage = ({ target, versionId, number, since }: Row): OnlinePage => ({ target, versionId, number, since })

  return {
    of: (site: SiteId, materialId: MaterialId): readonly OnlinePage[] => one.all(site, materialId).map(toPage),
  }
}
