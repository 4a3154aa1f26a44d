import type { Database } from 'better-sqlite3'

import type { CallbackId } from '../../contract/ids.ts'
import { createBlobUses } from './blob-uses.ts'
import type { NewBlob } from './blobs.ts'
import { createBlobs } from './blobs.ts'
import { createCallbackActivity } from './callback-activity.ts'
import { createCallbackList } from './callback-list.ts'
import { createCallbackRequests } from './callback-request.ts'
import type { Ending } from './callbacks.ts'
import { createCallbacks } from './callbacks.ts'
import { createConsistency } from './consistency.ts'
import { copyIndex } from './copy.ts'
import { createExports } from './exports.ts'
import { createLooseBlobs } from './loose-blobs.ts'
import { createMaterialList } from './material-list.ts'
import { createMaterialTags } from './material-tags.ts'
import { createMaterials } from './materials.ts'
import { openIndex, timed } from './open.ts'
import { createPageFonts } from './page-fonts.ts'
import { createRetention } from './retention.ts'
import { createRules } from './rules.ts'
import { createSavedViews } from './saved-views.ts'
import { createSettings } from './settings.ts'
import { createSites } from './sites.ts'
import type { NewSnapshot } from './snapshots.ts'
import { createSnapshots } from './snapshots.ts'
import { createTotals } from './totals.ts'
import { createVersionList } from './version-list.ts'
import type { NewVersion } from './versions.ts'
import { createVersions } from './versions.ts'
import { createWriteBack } from './write-back.ts'

/** One stored save, and how its callback ends: one fact, so one transaction. */
export interface StoredSave {
  readonly callbackId: CallbackId
  readonly blobs: readonly NewBlob[]
  readonly content: { readonly version: NewVersion } | { readonly snapshot: NewSnapshot }
  /** Made inside the transaction, when the index part is done. */
  readonly ending: () => Ending
}

/** The index of a library: its repositories, and the transaction that joins them. */
export function createIndex(file: string, log: (line: string) => void) {
  const db: Database = openIndex(file)
  const blobs = createBlobs(db)
  const callbacks = createCallbacks(db)
  const materials = createMaterials(db)
  const versions = createVersions(db, materials)
  const snapshots = createSnapshots(db)
  const writeBack = createWriteBack(db, log)

  const storeSave = db.transaction(({ callbackId, blobs: added, content, ending }: StoredSave) => {
    blobs.add(added)
    if ('version' in content) versions.add(content.version)
    else snapshots.add(content.snapshot)
    callbacks.finish(callbackId, ending())
  })

  const counts = db.prepare<[], { materials: number; versions: number }>(
    'SELECT (SELECT count(*) FROM material) AS materials, (SELECT count(*) FROM version) AS versions',
  )

  return {
    settings: createSettings(db),
    sites: createSites(db),
    blobs,
    callbacks,
    callbackList: createCallbackList(db),
    callbackActivity: createCallbackActivity(db),
    callbackRequests: createCallbackRequests(db),
    exports: createExports(db),
    pageFonts: createPageFonts(db),
    rules: createRules(db, materials),
    totals: createTotals(db),
    schema: (): number => Number(db.pragma('user_version', { simple: true })),
    materials,
    materialList: createMaterialList(db),
    materialTags: createMaterialTags(db, materials),
    savedViews: createSavedViews(db),
    versions,
    versionList: createVersionList(db, versions),
    snapshots,
    blobUses: createBlobUses(db),
    looseBlobs: createLooseBlobs(db),
    retention: createRetention(db),
    consistency: createConsistency(db, materials, versions),
    /** Durable when it returns (synchronous = FULL). Throws SqliteError. */
    storeSave(save: StoredSave): void {
      timed('storeSave', log, () => storeSave.immediate(save))
      writeBack.soon()
    },
    /** Grows when another process has written; the cheapest way to learn of it. */
    foreignChanges: (): number => Number(db.pragma('data_version', { simple: true })),
    counts: (): { readonly materials: number; readonly versions: number } =>
      counts.get() ?? { materials: 0, versions: 0 },
    /** Writes a copy of this moment into a new file, in small steps; nobody waits for it, and it waits for nobody. */
    copyTo: (copy: string, onBytes: (done: number, total: number) => void, signal: AbortSignal): Promise<void> =>
      copyIndex(file, copy, onBytes, signal),
    close(): void {
      writeBack.stop()
      db.pragma('optimize')
      db.close()
    },
  }
}

export type Index = ReturnType<typeof createIndex>
