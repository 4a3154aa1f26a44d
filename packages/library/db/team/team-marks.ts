import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { Change } from '../../records/changes.ts'
import type { WaitingMark } from '../../team/waiting-marks.ts'
import { insisted, judged, marked } from '../../team/waiting-marks.ts'
import { durably } from '../commit/durably.ts'
import { stringList } from '../database/string-list.ts'
import type { MarkedField } from '../field/marked-fields.ts'
import { changedFields, changeOf, createMarkedFields, meaningOf } from '../field/marked-fields.ts'

/** A change of one field that waits for the bucket, or for a person. */
export interface HeldMark {
  readonly id: number
  readonly field: MarkedField
  /** The value to set, as JSON text. */
  readonly value: string
  /** What counts of its values. */
  readonly mark: WaitingMark
  /** When it was made, and the position of this computer's log then. */
  readonly at: string
  readonly position: number
}

/** The value of `theirs` where the version or material was deleted; no field has it, since it is not JSON. */
export const goneValue = 'gone'

/** Whether the version or material of a conflict was deleted. */
export const isGone = ({ mark }: HeldMark): boolean => mark.theirs === goneValue

interface Row {
  readonly id: number
  readonly site: SiteId
  readonly material_id: MaterialId
  readonly version_id: VersionId | ''
  readonly field: MarkedField['field']
  readonly seen: string
  readonly wanted: string
  readonly at: string
  readonly position: number
  readonly theirs: string | null
}

function heldOf({ id, site, at, position, wanted, ...row }: Row): HeldMark {
  const field = { site, materialId: row.material_id, versionId: row.version_id || null, field: row.field }
  const mark = { seen: stringList(row.seen), wanted: meaningOf(field, wanted), theirs: row.theirs }
  return { id, at, position, field, value: wanted, mark }
}

const keyOf = ({ site, materialId, versionId, field }: MarkedField) =>
  [site, materialId, versionId ?? '', field] as const

/** Stores the changes that wait on this computer for the bucket, or for a person. */
export function createTeamMarks(db: Database, position: () => number) {
  const read = createMarkedFields(db)
  const current = (field: MarkedField): string | null => {
    const value = read(field)
    return value === null ? null : meaningOf(field, value)
  }
  const all = db.prepare<[], Row>('SELECT * FROM local.waiting_mark ORDER BY id')
  const one = db.prepare<[number], Row>('SELECT * FROM local.waiting_mark WHERE id = ?')
  const byField = db.prepare<[string, string, string, string], Row>(
    'SELECT * FROM local.waiting_mark WHERE site = ? AND material_id = ? AND version_id = ? AND field = ?',
  )
  const put = db.prepare<[string, string, string, string, string, string, number]>(
    `INSERT INTO local.waiting_mark (site, material_id, version_id, field, seen, wanted, position, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
     ON CONFLICT (site, material_id, version_id, field) DO UPDATE SET seen = excluded.seen, wanted = excluded.wanted,
       at = excluded.at, position = excluded.position, theirs = NULL`,
  )
  // Only if the value is unchanged: the person may have changed the field again during the write.
  const remove = db.prepare<[number, string]>('DELETE FROM local.waiting_mark WHERE id = ? AND wanted = ?')
  const removeField = db.prepare<[string, string, string, string]>(
    'DELETE FROM local.waiting_mark WHERE site = ? AND material_id = ? AND version_id = ? AND field = ?',
  )
  const setTheirs = db.prepare<[string | null, string, number, string]>(
    'UPDATE local.waiting_mark SET theirs = ?, seen = ? WHERE id = ? AND wanted = ?',
  )
  const list = (): readonly HeldMark[] => all.all().map(heldOf)
  const find = (id: number): HeldMark | null => {
    const row = one.get(id)
    return row ? heldOf(row) : null
  }

  return {
    list,
    find,
    /** Stores changes until the bucket can be reached; false if one of them cannot wait. Durable when it returns. */
    hold(changes: readonly Change[]): boolean {
      const wanted = changedFields(changes)
      if (wanted === null) return false
      durably(db, () =>
        db
          .transaction(() => {
            for (const { field, value } of wanted) {
              const now = current(field)
              if (now === null) continue
              const row = byField.get(...keyOf(field))
              const mark = marked(row ? heldOf(row).mark : null, now, meaningOf(field, value))
              if (mark === null) continue
              put.run(...keyOf(field), JSON.stringify(mark.seen), value, position())
            }
          })
          .immediate(),
      )
      return true
    },
    /** These fields were just written to the log, so earlier changes of them no longer wait. */
    settle(changes: readonly Change[]): void {
      if (all.get() === undefined) return
      for (const { field } of changedFields(changes) ?? []) removeField.run(...keyOf(field))
    },
    /** Compares a mark with the index, and returns the change to write, if any. */
    judge({ field, mark, value }: HeldMark) {
      const now = current(field)
      const verdict = judged(mark, now)
      return { verdict, change: verdict === 'write' ? changeOf(field, value) : null, current: now ?? goneValue }
    },
    /** Removes a mark that is in the log, or that a person gave up. */
    drop: ({ id, value }: HeldMark): void => void remove.run(id, value),
    /** Makes a mark a conflict: another member has changed the field. */
    contest: ({ id, mark, value }: HeldMark, theirs: string): void =>
      void setTheirs.run(theirs, JSON.stringify(mark.seen), id, value),
    /** A person has decided for the mark: it is written next time. */
    insist(held: HeldMark): void {
      const { seen, theirs } = insisted(held.mark)
      setTheirs.run(theirs, JSON.stringify(seen), held.id, held.value)
    },
  }
}

export type TeamMarks = ReturnType<typeof createTeamMarks>
