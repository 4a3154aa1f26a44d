import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { keysIn } from '@galley/wire'

import type { Change } from '../../records/changes.ts'
import type { FieldName, RecordKey, RecordKind } from '../../records/fields.ts'
import { fields, fieldsOf } from '../../records/fields.ts'
import { fieldValues, redirectsOf, selectedFields, tables } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'

/** A field whose change may wait. `tag:WORD` of a material holds whether it has that tag. */
export interface MarkedField {
  readonly site: SiteId
  readonly materialId: MaterialId
  /** Null for a field of the material. */
  readonly versionId: VersionId | null
  readonly field: FieldName | `tag:${string}`
}

/** The new value of a field, as JSON text. */
export interface FieldChange {
  readonly field: MarkedField
  readonly value: string
}

const recordOf = ({ versionId }: MarkedField): RecordKind => (versionId === null ? 'material' : 'version')
/** The tag of `tag:WORD`; null for another field. */
export const tagOf = (field: string): string | null => (field.startsWith('tag:') ? field.slice('tag:'.length) : null)

/** What counts of a value, as JSON text: equal texts mean the same. */
export function meaningOf(field: MarkedField, value: string): string {
  const of = fieldsOf(recordOf(field))[field.field]
  const read: unknown = JSON.parse(value)
  return of === undefined || read === null ? value : JSON.stringify(of.meaning(read))
}

/** The fields that changes set; null if a change sets anything else, and therefore cannot wait. */
export function changedFields(changes: readonly Change[]): readonly FieldChange[] | null {
  const all = changes.map(changedByOne)
  return all.length > 0 && all.every((each) => each !== null) ? all.flat() : null
}

function changedByOne(change: Change): readonly FieldChange[] | null {
  if (change.kind !== 'fields_set' || (change.record !== 'version' && change.record !== 'material')) return null
  const { record, site, of, set } = change
  const known = fieldsOf(record)
  if (Object.keys(set).some((name) => known[name]?.mayWait !== true)) return null
  return of.flatMap((key) => {
    const named = { site, materialId: key.materialId, versionId: 'versionId' in key ? key.versionId : null }
    return Object.entries(set).flatMap(([name, value]) =>
      known[name]?.stored === 'words'
        ? changedWords(named, value as Words)
        : [{ field: { ...named, field: name as FieldName }, value: JSON.stringify(value) }],
    )
  })
}

interface Words {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

function changedWords(named: Omit<MarkedField, 'field'>, { add, remove }: Words): readonly FieldChange[] {
  const tagged = (tags: readonly string[], value: string): FieldChange[] =>
    tags.map((tag) => ({ field: { ...named, field: `tag:${tag}` }, value }))
  return [...tagged(remove, 'false'), ...tagged(add, 'true')]
}

/** The change that sets one field. */
export function changeOf({ site, materialId, versionId, field }: MarkedField, value: string): Change {
  const wanted: unknown = JSON.parse(value)
  const tag = tagOf(field)
  if (versionId !== null)
    return { kind: 'fields_set', record: 'version', site, of: [{ materialId, versionId }], set: { [field]: wanted } }
  const tags = tag === null ? null : wanted === true ? { add: [tag], remove: [] } : { add: [], remove: [tag] }
  const set = tags === null ? { [field]: wanted } : { tags }
  return { kind: 'fields_set', record: 'material', site, of: [{ materialId }], set }
}

/** Reads the columns of a record's fields; undefined if there is no such record. */
export function createFieldRows(db: ReadHandle) {
  const prepare = (record: RecordKind) => {
    const rows = record === 'page' ? [`${redirectsOf('m.id')} AS redirects_from`] : []
    const columns = [selectedFields(record, 'r'), ...rows, '1 AS found'].filter((each) => each !== '').join(', ')
    return db.prepare<object, object>(`SELECT ${columns} FROM ${tables[record].row}`)
  }
  const read = new Map(keysIn(fields).map((record) => [record, prepare(record)]))
  return (record: RecordKind, site: SiteId, key: RecordKey<RecordKind>): object | undefined =>
    // Every site has settings: without a row, the initial ones.
    read.get(record)?.get({ ...key, site }) ?? (record === 'site' ? {} : undefined)
}

/** Reads marked fields. */
export function createMarkedFields(db: ReadHandle) {
  const rowOf = createFieldRows(db)
  const hasTag = createTagReader(db)

  /** The value of the field, as JSON text; null if the material or version does not exist. */
  return (marked: MarkedField): string | null => {
    const { site, materialId, versionId, field } = marked
    const row = rowOf(recordOf(marked), site, versionId === null ? { materialId } : { materialId, versionId })
    if (row === undefined) return null
    const tag = tagOf(field)
    if (tag !== null) return JSON.stringify(hasTag(site, materialId, tag))
    const values: Readonly<Record<string, unknown>> = fieldValues(recordOf(marked), row)
    return JSON.stringify(values[field])
  }
}

/** Whether a material has a tag. */
export function createTagReader(db: ReadHandle) {
  const tagged = db.prepare<[string, string, string], { yes: number }>(
    `SELECT 1 AS yes FROM material_tag t JOIN material m ON m.id = t.material
     WHERE t.site = ? AND m.material_id = ? AND t.tag = ?`,
  )
  return (site: SiteId, materialId: MaterialId, tag: string): boolean => tagged.get(site, materialId, tag) !== undefined
}
