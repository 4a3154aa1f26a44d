import type { Database } from 'better-sqlite3'

import type { Change, ChangeOf } from '../../../contract/domain/changes.ts'
import type { MaterialId, SiteId, VersionId } from '../../../contract/ids.ts'

/** A field that people change by hand. `tag:WORD` of a material holds whether it has that tag. */
export interface MarkedField {
  readonly site: SiteId
  readonly materialId: MaterialId
  /** Null for a field of the material. */
  readonly versionId: VersionId | null
  readonly field: VersionField | 'title' | 'slug' | 'archived' | `tag:${string}`
}

const versionFields = ['pinned', 'tags', 'note', 'verdict'] as const
type VersionField = (typeof versionFields)[number]

/** The new value of a field, as JSON text, without the time of the decision. */
export interface FieldChange {
  readonly field: MarkedField
  readonly value: string
}

/** The fields that changes set; null if a change sets anything else, and therefore cannot wait. */
export function fieldsOf(changes: readonly Change[]): readonly FieldChange[] | null {
  const all = changes.map(fieldsOfOne)
  return all.length > 0 && all.every((each) => each !== null) ? all.flat() : null
}

function fieldsOfOne(change: Change): readonly FieldChange[] | null {
  if (change.kind === 'version_marked') return ofMarkedVersion(change)
  if (change.kind === 'material_renamed') {
    const { site, materialId, title, slug } = change
    const of = { site, materialId, versionId: null }
    return [
      { field: { ...of, field: 'title' }, value: JSON.stringify(title) },
      { field: { ...of, field: 'slug' }, value: JSON.stringify(slug) },
    ]
  }
  if (change.kind === 'materials_tagged') return ofTags(change)
  if (change.kind !== 'materials_archived') return null
  const { site, materialIds, at } = change
  return materialIds.map((materialId) => ({
    field: { site, materialId, versionId: null, field: 'archived' },
    value: JSON.stringify(at !== null),
  }))
}

function ofMarkedVersion(change: ChangeOf<'version_marked'>): readonly FieldChange[] {
  const { verdict } = change
  const values = { ...change, verdict: verdict && { kind: verdict.kind, note: verdict.note } }
  return versionFields.flatMap((field) =>
    values[field] === undefined ? [] : [{ field: { ...change.version, field }, value: JSON.stringify(values[field]) }],
  )
}

function ofTags({ site, materialIds, add, remove }: ChangeOf<'materials_tagged'>): readonly FieldChange[] {
  const tagged = (materialId: MaterialId, tags: readonly string[], value: string): FieldChange[] =>
    tags.map((tag) => ({ field: { site, materialId, versionId: null, field: `tag:${tag}` }, value }))
  return materialIds.flatMap((id) => [...tagged(id, remove, 'false'), ...tagged(id, add, 'true')])
}

interface MaterialNames {
  readonly title: string
  readonly slug: string
  readonly archived: number
}

interface VersionMarksRow {
  readonly pinned: number
  readonly tags: string
  readonly note: string
  readonly verdict: string | null
  readonly verdict_note: string
}

/** Reads marked fields, and builds the change that sets one. */
export function createMarkedFields(db: Database) {
  const material = db.prepare<[string, string], MaterialNames>(
    'SELECT title, slug, archived_at IS NOT NULL AS archived FROM material WHERE site = ? AND material_id = ?',
  )
  const version = db.prepare<[string, string, string], VersionMarksRow>(
    `SELECT v.pinned, v.tags, v.note, v.verdict, v.verdict_note FROM version v JOIN material m ON m.id = v.material
     WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  const hasTag = db.prepare<[string, string, string], { yes: number }>(
    `SELECT 1 AS yes FROM material_tag t JOIN material m ON m.id = t.material
     WHERE t.site = ? AND m.material_id = ? AND t.tag = ?`,
  )

  function ofVersion(row: VersionMarksRow, field: VersionField): unknown {
    if (field === 'pinned') return row.pinned === 1
    if (field === 'tags') return JSON.parse(row.tags)
    if (field === 'note') return row.note
    return row.verdict === null ? null : { kind: row.verdict, note: row.verdict_note }
  }

  function ofMaterial({ site, materialId, field }: MarkedField, row: MaterialNames): unknown {
    if (field === 'title' || field === 'slug') return row[field]
    if (field === 'archived') return row.archived === 1
    return hasTag.get(site, materialId, field.slice('tag:'.length)) !== undefined
  }

  return {
    /** The value of the field, as JSON text; null if the material or version does not exist. */
    read(field: MarkedField): string | null {
      const { site, materialId, versionId } = field
      if (versionId !== null) {
        const row = version.get(site, materialId, versionId)
        return row ? JSON.stringify(ofVersion(row, field.field as VersionField)) : null
      }
      const row = material.get(site, materialId)
      return row ? JSON.stringify(ofMaterial(field, row)) : null
    },
    /** `at`: the time of the decision. */
    changeOf({ site, materialId, versionId, field }: MarkedField, value: string, at: string): Change {
      const wanted: unknown = JSON.parse(value)
      if (versionId !== null) {
        const put = field === 'verdict' && wanted !== null ? { ...Object(wanted), at } : wanted
        const version = { site, materialId, versionId }
        return { kind: 'version_marked', version, [field]: put }
      }
      if (field === 'archived')
        return { kind: 'materials_archived', site, materialIds: [materialId], at: wanted === true ? at : null }
      if (field === 'title' || field === 'slug') {
        const { title = '', slug = '' } = material.get(site, materialId) ?? {}
        return { kind: 'material_renamed', site, materialId, title, slug, [field]: String(wanted) }
      }
      const tags = [field.slice('tag:'.length)]
      const tagged = { kind: 'materials_tagged', site, materialIds: [materialId] } as const
      return wanted === true ? { ...tagged, add: tags, remove: [] } : { ...tagged, add: [], remove: tags }
    },
  }
}
