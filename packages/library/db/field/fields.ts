import type { SiteId } from '@galley/wire'

import type { FieldsSet } from '../../records/changes.ts'
import type { FieldsToSet, FieldValues, RecordKey, RecordKind } from '../../records/fields.ts'
import { fieldsOf } from '../../records/fields.ts'
import type { Commit } from '../commit/commit.ts'
import { fieldValues } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { createFieldRows, createTagReader, tagOf } from './marked-fields.ts'

/** Finds the changes of the log that set fields of records. */
export function createFieldChanges(db: ReadHandle) {
  const rowOf = createFieldRows(db)
  const hasTag = createTagReader(db)
  const waiting = db
    .prepare<[string, string, string], string>(
      'SELECT field FROM local.waiting_mark WHERE site = ? AND material_id = ? AND version_id = ?',
    )
    .pluck()

  /** The members of `set` that are news for a record; null if there is no such record. */
  function newsFor<Kind extends RecordKind>(
    record: Kind,
    site: SiteId,
    key: RecordKey<RecordKind>,
    set: FieldsToSet<Kind>,
  ): object | null {
    const row = rowOf(record, site, key)
    // A refusal may exist before its material.
    if (row === undefined) return 'refused' in set && set.refused ? set : null
    const values: Readonly<Record<string, unknown>> = fieldValues(record, row)
    const known = fieldsOf(record)
    // While another value of the field waits for the bucket, its value in the log is not a repetition.
    const waits = 'materialId' in key ? waiting.all(site, key.materialId, 'versionId' in key ? key.versionId : '') : []
    const isNews = ([name, value]: readonly [string, unknown]): boolean => {
      const field = known[name]
      if (field === undefined || value === undefined) return false
      if (field.stored === 'words' && 'materialId' in key) {
        const { add, remove } = value as { readonly add: readonly string[]; readonly remove: readonly string[] }
        const has = (tag: string): boolean => hasTag(site, key.materialId, tag)
        return add.some((tag) => !has(tag)) || remove.some(has) || waits.some((name) => tagOf(name) !== null)
      }
      const meaning = (of: unknown): string => JSON.stringify(of === null ? null : field.meaning(of))
      return meaning(values[name]) !== meaning(value) || waits.includes(name)
    }
    return Object.fromEntries(Object.entries(set).filter(isNews))
  }

  /** Leaves out what a record already has, and unknown records. */
  return <Kind extends RecordKind>(
    record: Kind,
    site: SiteId,
    of: readonly RecordKey<Kind>[],
    set: FieldsToSet<Kind>,
  ): readonly FieldsSet<Kind>[] => {
    const news = of.map((key) => ({ key, set: newsFor(record, site, key, set) }))
    const groups = Map.groupBy(news, ({ set }) => JSON.stringify(Object.keys(set ?? {})))
    return [...groups.values()].flatMap((group): FieldsSet<Kind>[] => {
      const [first] = group
      if (!first?.set || Object.keys(first.set).length === 0) return []
      const named = record !== 'site' && { of: group.map(({ key }) => key) }
      // The compiler cannot tell that keys and values are of the same record.
      return [{ kind: 'fields_set', record, site, ...named, set: first.set } as FieldsSet<Kind>]
    })
  }
}

export type FieldChanges = ReturnType<typeof createFieldChanges>

/** What people set on records. */
export function createFields(db: ReadHandle, commit: Commit, changesOf: FieldChanges) {
  const rowOf = createFieldRows(db)
  const waiting = db.prepare<[string, string, unknown], { field: string; wanted: string }>(
    `SELECT field, wanted FROM local.waiting_mark
     WHERE site = ? AND material_id = ? AND version_id = ? AND theirs IS NULL AND field NOT LIKE 'tag:%'`,
  )
  /** As the log has them. */
  function valuesOf<Kind extends RecordKind>(
    record: Kind,
    site: SiteId,
    key: RecordKey<Kind>,
  ): FieldValues<Kind> | null {
    const row = rowOf(record, site, key)
    return row === undefined ? null : fieldValues(record, row)
  }
  return {
    /** Sets the given fields of these records. Leaves out unknown records, and values that mean what a record already has. */
    set: <Kind extends RecordKind>(
      record: Kind,
      site: SiteId,
      of: readonly RecordKey<Kind>[],
      set: FieldsToSet<Kind>,
    ): void => commit.now(() => changesOf(record, site, of, set)),
    /** The values of a record that are columns, as the log has them; null if there is no such record. */
    of: valuesOf,
    /** The same, with what waits on this computer for the bucket of a team. */
    asSet<Kind extends 'version' | 'material'>(
      record: Kind,
      site: SiteId,
      key: RecordKey<Kind>,
    ): FieldValues<Kind> | null {
      const values = valuesOf(record, site, key)
      if (values === null) return null
      const held = waiting.all(site, key.materialId, 'versionId' in key ? key.versionId : '')
      return {
        ...values,
        ...Object.fromEntries(held.map(({ field, wanted }) => [field, JSON.parse(wanted) as unknown])),
      }
    },
  }
}
