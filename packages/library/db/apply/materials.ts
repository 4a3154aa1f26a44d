import type { MaterialId, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { sortKey } from '../database/sort-key.ts'
import type { NextId } from './row-ids.ts'
import type { SearchDocumentWriter } from './search-documents.ts'

/** Writes materials, with their sessions and search documents. */
export function createMaterialWriter(
  db: Database,
  { documents, nextId }: { readonly documents: SearchDocumentWriter; readonly nextId: NextId },
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
  const nameByHeading = db.prepare<[string, string, number]>(
    'UPDATE material SET title = ?, title_key = ? WHERE id = ? AND title = material_id',
  )

  /** The row of a material, or null. */
  const idOf = (site: SiteId, materialId: MaterialId): number | null => rowId.get(site, materialId)?.id ?? null

  /** The row of a material, created if it is new. */
  function ensure(site: SiteId, materialId: MaterialId): number {
    const known = idOf(site, materialId)
    if (known !== null) return known
    const id = nextId()
    insert.run(id, site, materialId, materialId, materialId, sortKey(materialId))
    return id
  }

  return {
    idOf,
    ensure,
    open({ site, materialId, title, slug, kind: _kind, ...session }: ChangeOf<'material_opened'>): void {
      const id = ensure(site, materialId)
      open.run({ ...session, id, title, slug, titleKey: title === null ? null : sortKey(title) })
      documents.refresh(id)
    },
    /** Call when the current version has changed. `title` is its heading, `text` its text if already known. */
    showPage(id: number, title: string | null, text: string | undefined): void {
      if (title !== null) nameByHeading.run(title, sortKey(title), id)
      documents.showPage(id, text)
    },
  }
}

export type MaterialWriter = ReturnType<typeof createMaterialWriter>
