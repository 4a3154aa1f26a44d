import type { SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { toSiteRow, type SiteRow } from '../database/site-row.ts'

/** Writes sites. */
export function createSiteWriter(db: Database) {
  const put = db.prepare<SiteRow & { readonly owner: string }>(`
    INSERT INTO site (id, name, environment, base_url, api_key, callback_url, public_url, allowed_domains,
      download_origins, signature_header, publish, unknown_materials, callback_auth, max_content_bytes,
      request_timeout_ms, download_timeout_ms, owner)
    VALUES (@id, @name, @environment, @base_url, @api_key, @callback_url, @public_url, @allowed_domains,
      @download_origins, @signature_header, @publish, @unknown_materials, @callback_auth, @max_content_bytes,
      @request_timeout_ms, @download_timeout_ms, @owner)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, environment = excluded.environment,
      base_url = excluded.base_url, api_key = excluded.api_key, callback_url = excluded.callback_url,
      public_url = excluded.public_url, allowed_domains = excluded.allowed_domains,
      download_origins = excluded.download_origins, signature_header = excluded.signature_header,
      publish = excluded.publish, unknown_materials = excluded.unknown_materials,
      callback_auth = excluded.callback_auth, max_content_bytes = excluded.max_content_bytes,
      request_timeout_ms = excluded.request_timeout_ms, download_timeout_ms = excluded.download_timeout_ms,
      owner = excluded.owner, removed_at = NULL`)
  const remove = db.prepare<[string, string]>('UPDATE site SET removed_at = ? WHERE id = ? AND removed_at IS NULL')
  const stand = db.prepare<{ site: SiteId }>(
    `INSERT OR IGNORE INTO site (id, name, environment, base_url, api_key, callback_url, allowed_domains,
       download_origins, signature_header, publish, unknown_materials, callback_auth, max_content_bytes,
       request_timeout_ms, download_timeout_ms, owner, removed_at)
     VALUES (@site, @site, 'prod', 'https://unknown.invalid', 'unknown', 'https://unknown.invalid', '[]', '[]',
       'X-Unknown', '{"kind":"listener"}', 'refuse', 'none', 1, 1, 1,
       '00000000-0000-0000-0000-000000000000', '1970-01-01T00:00:00.000Z')`,
  )

  const insertBase = db.prepare<[string, string]>('INSERT OR IGNORE INTO public_base (site, base) VALUES (?, ?)')
  const addPublicBase = (site: SiteId, base: string): void => void insertBase.run(site, base)

  return {
    addPublicBase,
    /** Adds a row for a site whose settings the log has lost. Its saves reappear when the site is added again. */
    standIn: (site: SiteId): void => void stand.run({ site }),
    /** Creates a site or replaces its settings. Restores a removed site with its materials. */
    put({ site, owner }: ChangeOf<'site_saved'>): void {
      put.run({ ...toSiteRow(site), owner })
    },
    remove: (site: SiteId, at: string): void => void remove.run(at, site),
  }
}

export type SiteWriter = ReturnType<typeof createSiteWriter>
