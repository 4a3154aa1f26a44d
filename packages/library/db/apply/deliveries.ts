import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { LoggedDelivery } from '../../records/changes.ts'
import type { NextId } from './row-ids.ts'

/** Writes the ledger of stored deliveries, which answers repeated ones. */
export function createDeliveryWriter(db: Database, nextId: NextId) {
  const insert = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO delivery (id, callback, site, kind, material_id, content_url, version_id, payload)
     VALUES (@id, @callback, @site, @kind, @materialId, @contentUrl, @versionId, @payload)`,
  )
  const forgetVersion = db.prepare<[string, string, string]>(
    `DELETE FROM delivery WHERE kind = 'article_saved' AND site = ? AND version_id = ? AND material_id = ?`,
  )
  const forgetMaterial = db.prepare<[string, string]>(
    `DELETE FROM delivery WHERE kind = 'article_saved' AND site = ? AND material_id = ?`,
  )
  const rewrite = db.prepare<[string, string]>(
    'UPDATE delivery SET payload = ? WHERE callback = ? AND payload IS NOT NULL',
  )

  return {
    add(delivery: LoggedDelivery | null, site: SiteId, kind: string, versionId: string): void {
      if (delivery === null) return
      insert.run({
        id: nextId(),
        callback: delivery.id,
        site,
        kind,
        materialId: delivery.materialId,
        contentUrl: delivery.contentUrl,
        versionId,
        payload: kind === 'site_fonts_updated' ? delivery.payload : null,
      })
    },
    /** Afterwards, a repeated delivery of this version is stored again. */
    forgetVersion: (site: SiteId, materialId: MaterialId, versionId: VersionId): void =>
      void forgetVersion.run(site, versionId, materialId),
    forgetMaterial: (site: SiteId, materialId: MaterialId): void => void forgetMaterial.run(site, materialId),
    /** Only deliveries of font sets have a payload. */
    rewrite: (callback: string, payload: string): void => void rewrite.run(payload, callback),
  }
}

export type DeliveryWriter = ReturnType<typeof createDeliveryWriter>
