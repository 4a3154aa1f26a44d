import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf, MediaReference } from '../../records/changes.ts'
import { cdateMs } from '../../records/version.ts'
import type { BlobWriter } from './blobs.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { MaterialWriter } from './materials.ts'
import type { NextId } from './row-ids.ts'
import { createRowInserts } from './row-inserts.ts'
import type { SiteWriter } from './sites.ts'
import type { StyleSheetWriter } from './style-sheets.ts'
import { isEarlierForm } from './style-sheets.ts'

interface Parts {
  readonly materials: MaterialWriter
  readonly blobs: BlobWriter
  readonly deliveries: DeliveryWriter
  readonly sheets: StyleSheetWriter
  readonly sites: Pick<SiteWriter, 'addPublicBase'>
  readonly nextId: NextId
}

/** Writes saved versions with their files, references and deliveries. */
export function createSaveWriter(db: Database, { materials, blobs, deliveries, sheets, sites, nextId }: Parts) {
  const insertVersion = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO version (id, material, version_id, number, version_cdate, cdate_ms, received_at, user_email, html_sha256,
       state_sha256, metadata, archive_sha256, kept_sha256, media_count, size_bytes, public_base, warnings, heading)
     VALUES (@id, @material, @versionId, (SELECT versions_numbered + 1 FROM material WHERE id = @material), @versionCdate,
       @cdateMs, @receivedAt, @userEmail, @html, @state, @metadata, @archiveSha256, @keptSha256, @mediaCount, @sizeBytes, @publicBase, @warnings, @heading)`,
  )
  const insertMedia = createRowInserts(db, 'INSERT INTO media (version, name, sha256, size_bytes)', 4)
  const insertReference = createRowInserts(db, 'INSERT OR IGNORE INTO media_reference (version, hash_start, name)', 3)
  const versionRow = db.prepare<[string, string, string], { id: number }>(
    `SELECT v.id FROM material m JOIN version v ON v.material = m.id
     WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  const currentCdate = db.prepare<[number], { cdate_ms: number }>(
    'SELECT v.cdate_ms FROM material m JOIN version v ON v.id = m.current_version WHERE m.id = ?',
  )
  const grow = db.prepare<[number, number]>(
    `UPDATE material SET version_count = version_count + 1, versions_numbered = versions_numbered + 1,
       total_bytes = total_bytes + ? WHERE id = ?`,
  )
  // The plus signs as in `versions.ts`.
  const makeCurrent = db.prepare<{ material: number }, { current_version: number }>(
    `UPDATE material SET current_version = v.id, saved_at = v.received_at, editor = v.user_email,
       status = coalesce(v.decision, 'saved')
     FROM (SELECT id, received_at, user_email, decision FROM version WHERE material = +@material
       ORDER BY cdate_ms DESC, id DESC LIMIT 1) v
     WHERE material.id = +@material RETURNING current_version`,
  )
  const unread = db.prepare<[number]>('INSERT INTO unread_version (version) VALUES (?)')
  const read = db.prepare<[number]>('DELETE FROM unread_version WHERE version = ?')

  function addReferences(version: number, references: readonly MediaReference[]): void {
    insertReference(references, ({ hashStart, name }) => [version, hashStart, name])
  }

  return {
    addVersion(change: ChangeOf<'version_stored'>, pageText: string | undefined): void {
      const { version, delivery } = change
      blobs.add(change.blobs)
      const material = materials.ensure(version.site, version.materialId)
      const id = nextId()
      const { media, references, referencesForm: _form, title, warnings, ...row } = version
      insertVersion.run({
        ...row,
        id,
        material,
        // Without its own date, a version sorts after the current one at its position in the log.
        cdateMs:
          cdateMs(version.versionCdate) ?? currentCdate.get(material)?.cdate_ms ?? Date.parse(version.receivedAt),
        mediaCount: media.length,
        warnings: JSON.stringify(warnings),
        heading: title,
      })
      insertMedia(media, ({ name, sha256, sizeBytes }) => [id, name, sha256, sizeBytes])
      sheets.addFiles(media)
      sites.addPublicBase(version.site, version.publicBase)
      if (references !== null) addReferences(id, references)
      if (references === null || isEarlierForm(version)) unread.run(id)
      grow.run(version.sizeBytes, material)
      deliveries.add(delivery, version.site, 'article_saved', version.versionId)
      if (makeCurrent.get({ material })?.current_version === id) materials.showPage(material, title, pageText)
    },
    addReferences({ versions, ...found }: ChangeOf<'references_found'>): void {
      for (const { site, materialId, versionId, references } of versions) {
        const row = versionRow.get(site, materialId, versionId)
        if (!row) continue
        addReferences(row.id, references)
        if (!isEarlierForm(found)) read.run(row.id)
      }
    },
    /** The row of a version, or null. */
    rowOf: (site: SiteId, materialId: MaterialId, versionId: VersionId): number | null =>
      versionRow.get(site, materialId, versionId)?.id ?? null,
    /** Updates a material's copy of its current version after a change. */
    refreshMaterial: (material: number): void => void makeCurrent.get({ material }),
  }
}

export type SaveWriter = ReturnType<typeof createSaveWriter>
