import type { SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { SavedView } from '../../views/materials.ts'
import { durably } from '../commit/durably.ts'

/** Named queries, by site and subject. */
export function createSavedViews(db: Database) {
  const list = db.prepare<[string], SavedView>(
    'SELECT subject, name, query FROM saved_view WHERE site = ? ORDER BY site, subject, name',
  )
  const put = db.prepare<[string, string, string, string]>(
    'INSERT OR REPLACE INTO saved_view (site, subject, name, query) VALUES (?, ?, ?, ?)',
  )
  const remove = db.prepare<[string, string, string]>(
    'DELETE FROM saved_view WHERE site = ? AND subject = ? AND name = ?',
  )
  return {
    list: (site: SiteId): readonly SavedView[] => list.all(site),
    put: (site: SiteId, { subject, name, query }: SavedView): void =>
      void durably(db, () => put.run(site, subject, name, query)),
    remove: (site: SiteId, subject: string, name: string): void => void remove.run(site, subject, name),
  }
}
