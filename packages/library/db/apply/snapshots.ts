import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import type { BlobWriter } from './blobs.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { NextId } from './row-ids.ts'
import type { SiteWriter } from './sites.ts'
import type { StyleSheetWriter } from './style-sheets.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly deliveries: DeliveryWriter
  readonly sheets: StyleSheetWriter
  readonly sites: Pick<SiteWriter, 'addPublicBase'>
  readonly nextId: NextId
}

/** Writes stored font sets with their files and deliveries. */
export function createSnapshotWriter(db: Database, { blobs, deliveries, sheets, sites, nextId }: Parts) {
  const insert = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO snapshot (id, site, snapshot_id, received_at, css_sha256, tree_sha256, answer_sha256, archive_sha256,
       kept_sha256, public_base, warnings)
     VALUES (@id, @site, @snapshotId, @receivedAt, @css, @tree, @answer, @archiveSha256, @keptSha256, @publicBase,
       @warnings)`,
  )
  const insertFile = db.prepare<[number, string, string, number]>(
    'INSERT INTO font_file (snapshot, name, sha256, size_bytes) VALUES (?, ?, ?, ?)',
  )

  return {
    add({ snapshot, blobs: added, delivery }: ChangeOf<'fonts_stored'>): void {
      blobs.add(added)
      const { files, warnings, ...row } = snapshot
      sheets.add(row.css)
      if (row.tree !== null) sheets.add(row.tree)
      sites.addPublicBase(row.site, row.publicBase)
      const id = nextId()
      insert.run({ ...row, id, warnings: JSON.stringify(warnings) })
      for (const { name, sha256, sizeBytes } of files) insertFile.run(id, name, sha256, sizeBytes)
      deliveries.add(delivery, snapshot.site, 'site_fonts_updated', snapshot.snapshotId)
    },
  }
}
