import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { IgnoredPart, Verdict } from '../../records/fields.ts'
import type { FieldValue, TeamConflict, TeamConflicts } from '../../views/team.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { stringList } from '../database/string-list.ts'
import type { MarkedField } from '../field/marked-fields.ts'
import { meaningOf, tagOf } from '../field/marked-fields.ts'
import { goneValue } from './team-marks.ts'

interface Row {
  readonly id: number
  readonly site: SiteId
  readonly site_name: string | null
  readonly material_id: MaterialId
  readonly title: string | null
  readonly version_id: VersionId | ''
  readonly number: number | null
  readonly field: MarkedField['field']
  readonly seen: string
  readonly wanted: string
  readonly theirs: string
  readonly at: string
  readonly archived_at: string | null
  readonly verdict: string | null
}

/** Lists the changes of a member that conflict with the team's, with the names that people know them by. */
export function createTeamConflicts(db: ReadHandle) {
  const count = db.prepare<[], number>('SELECT count(*) FROM local.waiting_mark WHERE theirs IS NOT NULL').pluck()
  const list = db.prepare<[number], Row>(
    `SELECT w.id, w.site, s.name AS site_name, w.material_id, m.title, w.version_id, v.number, w.field, w.seen, w.wanted,
       w.theirs, w.at, m.archived_at, v.verdict
     FROM local.waiting_mark w LEFT JOIN site s ON s.id = w.site
       LEFT JOIN material m ON m.site = w.site AND m.material_id = w.material_id
       LEFT JOIN version v ON v.material = m.id AND v.version_id = w.version_id
     WHERE w.theirs IS NOT NULL ORDER BY w.id LIMIT ?`,
  )
  return (limit: number): TeamConflicts => ({ total: count.get() ?? 0, conflicts: list.all(limit).map(toConflict) })
}

/** Parts of a page are known to people by their text. */
function valueOf(field: string, json: string): FieldValue {
  const value: unknown = JSON.parse(json)
  return field === 'ignored' ? (value as readonly IgnoredPart[]).map(({ label }) => label) : (value as FieldValue)
}

/** The log has no times. For these two fields, the index knows when they got their value. */
function timeOfTheirs(row: Row, field: MarkedField): string | null {
  const { theirs, archived_at, verdict } = row
  if (row.field === 'archivedAt') return theirs === 'true' ? archived_at : null
  const isCurrent = row.field === 'verdict' && verdict !== null && theirs === meaningOf(field, verdict)
  return isCurrent ? (JSON.parse(verdict) as Verdict).at : null
}

function toConflict(row: Row): TeamConflict {
  const { id, at, field, seen, wanted, theirs } = row
  const tag = tagOf(field)
  const marked = { site: row.site, materialId: row.material_id, versionId: row.version_id || null, field }
  const [before = 'null'] = stringList(seen)
  const read = (json: string): FieldValue => valueOf(field, json)
  return {
    id,
    at,
    tag,
    materialId: row.material_id,
    title: row.title,
    site: { id: row.site, name: row.site_name ?? row.site },
    version: row.version_id === '' ? null : { id: row.version_id, number: row.number },
    field: tag === null ? (field as TeamConflict['field']) : 'tag',
    before: read(before),
    mine: read(meaningOf(marked, wanted)),
    theirs: theirs === goneValue ? null : { value: read(theirs), at: timeOfTheirs(row, marked) },
  }
}
