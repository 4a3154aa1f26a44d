import type { SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { Change, LoggedDelivery } from '../../records/changes.ts'
import type { ToldEntry } from '../webhook/webhook-queue.ts'
import { createToldLog } from '../webhook/webhook-queue.ts'

interface Stored {
  readonly delivery: LoggedDelivery
  readonly site: SiteId
  readonly kind: 'article_saved' | 'site_fonts_updated'
  /** The id of the version or the snapshot. */
  readonly versionId: string
}

/**
 * Synchronizes this computer's list of callbacks with the log: it contains every delivery that stored something, from any
 * process or computer, until its version is pruned. What this computer has written is queued for webhooks.
 */
export function createCallbackMirror(db: Database) {
  const webhooks = createToldLog(db)
  const position = db.prepare<[], { position: number }>('SELECT position FROM callbacks_of_log')
  const advance = db.prepare<[number]>('UPDATE callbacks_of_log SET position = ?')
  const put = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO local.callback (id, site, received_at, kind, material_id, content_url, signature, payload, headers,
       body_bytes, outcome, http_status, rc, rm, version_id, steps, duration_ms)
     VALUES (@id, @site, @receivedAt, @kind, @materialId, @contentUrl, 'valid', @payload, @headers,
       @bodyBytes, 'stored', 200, 1, @rm, @versionId, @steps, @durationMs)
     ON CONFLICT (id) DO UPDATE SET outcome = 'stored', http_status = 200, rc = 1, code = NULL, rm = excluded.rm,
       version_id = excluded.version_id, steps = excluded.steps, duration_ms = excluded.duration_ms`,
  )
  const forget = db.prepare<[string, string, string]>(
    `DELETE FROM local.callback
     WHERE outcome = 'stored' AND kind = 'article_saved' AND site = ? AND material_id = ? AND version_id = ?`,
  )
  const rewrite = db.prepare<[string, string]>('UPDATE local.callback SET payload = ? WHERE id = ?')

  function write({ delivery, site, kind, versionId }: Stored): void {
    put.run({
      id: delivery.id,
      site,
      receivedAt: delivery.receivedAt,
      kind,
      materialId: delivery.materialId,
      contentUrl: delivery.contentUrl,
      payload: delivery.payload,
      headers: JSON.stringify(delivery.headers),
      bodyBytes: delivery.bodyBytes,
      rm: delivery.rm,
      versionId,
      steps: JSON.stringify(delivery.steps),
      durationMs: delivery.durationMs,
    })
  }

  function follow(change: Change): void {
    if (change.kind === 'version_stored' && change.delivery) {
      const { site, versionId } = change.version
      write({ delivery: change.delivery, site, kind: 'article_saved', versionId })
    }
    if (change.kind === 'fonts_stored' && change.delivery) {
      const { site, snapshotId } = change.snapshot
      write({ delivery: change.delivery, site, kind: 'site_fonts_updated', versionId: snapshotId })
    }
    if (change.kind === 'versions_pruned')
      for (const { site, materialId, versionId } of change.versions) forget.run(site, materialId, versionId)
    if (change.kind === 'person_erased') for (const { id, payload } of change.deliveries) rewrite.run(payload, id)
  }

  const at = (): number => position.get()?.position ?? 0

  return {
    /** The log position up to which the list is complete. */
    position: at,
    /** Reads the log, which ends at this position, from its beginning again. Existing rows stay. */
    restart(end: number): void {
      advance.run(0)
      webhooks.restart(end)
    },
    /** Adds the deliveries of an entry unless they were added before. Must run inside a transaction. */
    mirror(entry: ToldEntry): void {
      if (entry.position <= at()) return
      for (const change of entry.changes) follow(change)
      webhooks.follow(entry)
      advance.run(entry.position)
    },
  }
}

export type CallbackMirror = ReturnType<typeof createCallbackMirror>
