import type { Database } from 'better-sqlite3'

import type { MaterialId, SiteId } from '../../../../contract/ids.ts'
import type { ChangeOf } from '../../../../contract/domain/changes.ts'
import { sortKey } from '../database/sort-key.ts'
import type { NextId } from './apply.ts'
import type { BlobWriter } from './blobs.ts'

/** Writes materials, with their sessions, tags, rules and search documents. */
export function createMaterialWriter(
  db: Database,
  { blobs, nextId }: { readonly blobs: BlobWriter; readonly nextId: NextId },
) {
  const rowId = db.prepare<[string, string], { id: number }>(
    'SELECT id FROM material WHERE site = ? AND material_id = ?',
  )
  const insert = db.prepare<[number, string, string, string, string, string]>(
    'INSERT INTO material (id, site, material_id, title, slug, title_key) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const open = db.prepare<Record<string, string | number | null>>(
    `UPDATE material SET session_id = @sessionId, fingerprint = @fingerprint, editor_url = @url, last_access = @at,
       sent_metadata = @sentMetadata, opened_callback_url = @callbackUrl, title = coalesce(@title, title),
       title_key = coalesce(@titleKey, title_key), slug = coalesce(@slug, slug)
     WHERE id = @id`,
  )
  const rename = db.prepare<[string, string, string, number]>(
    'UPDATE material SET title = ?, title_key = ?, slug = ? WHERE id = ?',
  )
  const nameByHeading = db.prepare<[string, string, number]>(
    'UPDATE material SET title = ?, title_key = ? WHERE id = ? AND title = material_id',
  )
  const addTag = db.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO material_tag (site, tag, material) VALUES (?, ?, ?)',
  )
  const removeTag = db.prepare<[string, string, number]>(
    'DELETE FROM material_tag WHERE site = ? AND tag = ? AND material = ?',
  )
  const refuse = db.prepare<[string | null, string | null, number]>(
    'UPDATE material SET refused_reason = ?, refused_since = ? WHERE id = ?',
  )
  const archive = db.prepare<[string | null, number]>('UPDATE material SET archived_at = ? WHERE id = ?')
  const forgetDeliveries = db.prepare<[string, string]>(
    `DELETE FROM delivery WHERE kind = 'article_saved' AND site = ? AND material_id = ?`,
  )
  /** What refers to a material and does not go by itself, in the order in which nothing is left behind. */
  const removals = [
    'UPDATE material SET current_version = NULL WHERE id = ?',
    'DELETE FROM export_page WHERE version IN (SELECT id FROM version WHERE material = ?)',
    'DELETE FROM version WHERE material = ?',
    'DELETE FROM material_text WHERE rowid = ?',
    'DELETE FROM material WHERE id = ?',
  ].map((statement) => db.prepare<[number]>(statement))
  const describe = db.prepare<{ id: number; page: string | null }>(
    `INSERT OR REPLACE INTO material_text (rowid, title, material_id, tags, page)
     SELECT m.id, m.title, m.material_id,
       coalesce((SELECT group_concat(tag, ' ' ORDER BY tag) FROM material_tag WHERE material = m.id), ''),
       coalesce(@page, (SELECT page FROM material_text WHERE rowid = m.id), '')
     FROM material m WHERE m.id = @id`,
  )
  const unread = db.prepare<[number]>('INSERT OR IGNORE INTO unread_page (material) VALUES (?)')
  const read = db.prepare<[number]>('DELETE FROM unread_page WHERE material = ?')

  const idOf = (site: string, materialId: string): number | null => rowId.get(site, materialId)?.id ?? null

  /** The row of a material, made when it is new. */
  function ensure(site: SiteId, materialId: MaterialId): number {
    const known = idOf(site, materialId)
    if (known !== null) return known
    const id = nextId()
    insert.run(id, site, materialId, materialId, materialId, sortKey(materialId))
    return id
  }

  /** Writes the search document anew; the words of the page stay. */
  const index = (id: number): void => void describe.run({ id, page: null })

  return {
    ensure,
    open({ site, materialId, title, slug, kind: _kind, ...session }: ChangeOf<'material_opened'>): void {
      const id = ensure(site, materialId)
      open.run({ ...session, id, title, slug, titleKey: title === null ? null : sortKey(title) })
      index(id)
    },
    rename({ site, materialId, title, slug }: ChangeOf<'material_renamed'>): void {
      const id = idOf(site, materialId)
      if (id === null) return
      rename.run(title, sortKey(title), slug, id)
      index(id)
    },
    tag({ site, materialIds, add, remove }: ChangeOf<'materials_tagged'>): void {
      for (const materialId of materialIds) {
        const id = idOf(site, materialId)
        if (id === null) continue
        for (const tag of remove) removeTag.run(site, tag, id)
        for (const tag of add) addTag.run(site, tag, id)
        index(id)
      }
    },
    /** Materials that were never opened get their row: a rule may come first. */
    refuse({ site, materialIds, reason, at }: ChangeOf<'materials_refused'>): void {
      for (const materialId of materialIds) {
        const known = idOf(site, materialId)
        if (known === null && reason === null) continue
        refuse.run(reason, reason === null ? null : at, known ?? ensure(site, materialId))
      }
    },
    archive({ site, materialIds, at }: ChangeOf<'materials_archived'>): void {
      for (const materialId of materialIds) {
        const id = idOf(site, materialId)
        if (id !== null) archive.run(at, id)
      }
    },
    /** A repeated delivery of a deleted version is no longer known; an export keeps its figures. */
    remove({ site, materialIds, blobs: dropped }: ChangeOf<'materials_deleted'>): void {
      for (const materialId of materialIds) {
        const id = idOf(site, materialId)
        if (id === null) continue
        forgetDeliveries.run(site, materialId)
        for (const each of removals) each.run(id)
      }
      blobs.drop(dropped)
    },
    /** The current version has changed: `title` is its heading, `text` its words where they are known by now. */
    showPage(id: number, title: string | null, text: string | undefined): void {
      if (title !== null) nameByHeading.run(title, sortKey(title), id)
      describe.run({ id, page: text ?? '' })
      if (text === undefined) unread.run(id)
      else read.run(id)
    },
  }
}

export type MaterialWriter = ReturnType<typeof createMaterialWriter>
