import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { GivenVerdict, Verdict } from '../../records/fields.ts'
import { verdictInForce } from '../../records/fields.ts'
import type { MaterialRow } from '../../views/materials.ts'
import type { VersionRow } from '../../views/versions.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { MarkedField } from '../field/marked-fields.ts'
import { tagOf } from '../field/marked-fields.ts'

interface Waiting {
  readonly material_id: string
  readonly version_id: VersionId | ''
  readonly field: MarkedField['field']
  readonly wanted: string
}

interface Named {
  readonly site: SiteId
  readonly materialId: MaterialId
}

/**
 * Puts the changes that wait for the bucket into the rows of lists, and names their fields in `waiting`. The index itself
 * holds only what follows from the log. Changes that conflict with the team's are left out: the team's value applies.
 */
export function createWaitingOverlay(db: ReadHandle) {
  const some = db.prepare<[string, string], Waiting>(
    `SELECT material_id, version_id, field, wanted FROM local.waiting_mark
     WHERE site = ? AND material_id IN (SELECT value FROM json_each(?)) AND theirs IS NULL`,
  )

  /** One query for all rows, which belong to one site. */
  function read(rows: readonly Named[]): readonly Waiting[] {
    const [first] = rows
    if (first === undefined) return []
    return some.all(first.site, JSON.stringify([...new Set(rows.map(({ materialId }) => materialId))]))
  }

  function laid<Row extends Named>(
    rows: readonly Row[],
    isOf: (row: Row, waiting: Waiting) => boolean,
    put: (row: Row, waiting: Waiting) => Row,
  ): readonly Row[] {
    const all = read(rows)
    if (all.length === 0) return rows
    const byMaterial = Map.groupBy(all, (waiting) => waiting.material_id)
    return rows.map((row) =>
      (byMaterial.get(row.materialId) ?? []).filter((waiting) => isOf(row, waiting)).reduce(put, row),
    )
  }

  return {
    materials: (rows: readonly MaterialRow[]): readonly MaterialRow[] => laid(rows, isOfMaterial, overlaidMaterial),
    /** Of one material. */
    versions: (rows: readonly VersionRow[]): readonly VersionRow[] =>
      laid(rows, (row, { version_id }) => row.versionId === version_id, overlaidVersion),
    /** Verdicts of a material that wait, by version. */
    verdicts: (site: SiteId, materialId: MaterialId): readonly (readonly [VersionId, Verdict | null])[] =>
      read([{ site, materialId }]).flatMap(({ version_id, field, wanted }) =>
        version_id !== '' && field === 'verdict' ? [[version_id, verdictOf(wanted)] as const] : [],
      ),
  }
}

/** The status of a material is the verdict of its current version. */
const isOfMaterial = ({ currentVersionId }: MaterialRow, { version_id, field }: Waiting): boolean =>
  version_id === '' || (field === 'verdict' && version_id === currentVersionId)

const withTag = (tags: readonly string[], tag: string, isSet: boolean): readonly string[] => {
  const others = tags.filter((other) => other !== tag)
  return isSet ? [...others, tag].toSorted() : others
}

const verdictOf = (wanted: string): Verdict | null => verdictInForce(JSON.parse(wanted) as GivenVerdict)

function overlaidMaterial(row: MaterialRow, { field, wanted }: Waiting): MaterialRow {
  const value: unknown = JSON.parse(wanted)
  const waiting = (name: NonNullable<MaterialRow['waiting']>[number]) => [...new Set([...(row.waiting ?? []), name])]
  const tag = tagOf(field)
  if (tag !== null) return { ...row, tags: withTag(row.tags, tag, value === true), waiting: waiting('tags') }
  if (field === 'verdict') return { ...row, status: verdictOf(wanted)?.decision ?? 'saved', waiting: waiting('status') }
  if (field === 'ignored') return row
  // The other fields have the names and values of the row.
  const name = field as 'title' | 'slug' | 'archivedAt'
  // The words were found in the team's title.
  const hit = name === 'title' ? row.hit && { ...row.hit, title: [{ text: String(value), isHit: false }] } : row.hit
  return { ...row, hit, [name]: value, waiting: waiting(name) }
}

function overlaidVersion(row: VersionRow, { field, wanted }: Waiting): VersionRow {
  // The mark of a version uses the names and values of the row for its fields.
  const name = field as NonNullable<VersionRow['waiting']>[number]
  const value: unknown = name === 'verdict' ? verdictOf(wanted) : JSON.parse(wanted)
  return { ...row, [name]: value, waiting: [...(row.waiting ?? []), name] }
}
