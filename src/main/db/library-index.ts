import type { Database } from 'better-sqlite3'

import type { CallbackId } from '../../contract/ids.ts'
import type { NewBlob } from './blobs.ts'
import { createBlobs } from './blobs.ts'
import type { Ending } from './callbacks.ts'
import { createCallbacks } from './callbacks.ts'
import { createMaterials } from './materials.ts'
import { openIndex, timed } from './open.ts'
import { createSettings } from './settings.ts'
import { createSites } from './sites.ts'
import type { NewSnapshot } from './snapshots.ts'
import { createSnapshots } from './snapshots.ts'
import type { NewVersion } from './versions.ts'
import { createVersions } from './versions.ts'

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

  const storeSave = db.transaction(({ callbackId, blobs: added, content, ending }: StoredSave) => {
    blobs.add(added)
    if ('version' in content) versions.add(content.version)
    else snapshots.add(content.snapshot)
    callbacks.finish(callbackId, ending())
  })

  const tables = db.prepare<[], { name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
  )
  const quickCheck = db.prepare<[string], { quick_check: string }>('SELECT quick_check FROM pragma_quick_check(?)')

  return {
    settings: createSettings(db),
    sites: createSites(db),
    blobs,
    callbacks,
    materials,
    versions,
    snapshots,
    /** Durable when it returns (synchronous = FULL). Throws SqliteError. */
    storeSave: (save: StoredSave): void => timed('storeSave', log, () => storeSave.immediate(save)),
    /** Grows when another process has written; the cheapest way to learn of it. */
    foreignChanges: (): number => Number(db.pragma('data_version', { simple: true })),
    /** The tables of the index, for checks that go one by one. */
    tables: (): readonly string[] => tables.all().map(({ name }) => name),
    /** `ok`, or the first thing that SQLite finds wrong with a table; linear in its size. */
    quickCheck: (table: string): string => quickCheck.get(table)?.quick_check ?? 'ok',
    close(): void {
      db.pragma('optimize')
      db.close()
    },
  }
}

export type Index = ReturnType<typeof createIndex>
