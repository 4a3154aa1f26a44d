import type { Database } from 'better-sqlite3'

import { fontEntry, fontsFolder } from '../archives/file-names.ts'
import { storedFilesOf } from '../archives/stored-files.ts'
import type { CallbackOutcome } from '../callbacks/outcome.ts'
import type { Contents, StoredBytes } from './contents.ts'

/** One saved font set of a site. `tree` is a JSON text. */
export interface Snapshot {
  readonly snapshotId: string
  /** The fingerprint of the session that provided callback URL and metadata; generated when there was none. */
  readonly fingerprint: string
  readonly apiKey: string
  readonly materialId: string
  readonly createdMs: number
  readonly tree: string
  readonly css: string
  /** The fonts ZIP. */
  readonly archive: Buffer
}

/** The material that a fonts download belongs to. */
export type SnapshotOwner = Pick<Snapshot, 'apiKey' | 'materialId'>

/** The CSS of a font set, with temporary names. */
export type FontSheet = Pick<Snapshot, 'snapshotId' | 'css'>

export interface Snapshots {
  readonly add: (snapshot: Snapshot) => void
  readonly owner: (fingerprint: string, snapshotId: string) => SnapshotOwner | null
  readonly archive: (snapshotId: string) => StoredBytes | null
  /** A font file in the archive, by its name without the folder. */
  readonly font: (snapshotId: string, fileName: string) => StoredBytes | null
  /** Names of the font files in the archive, without the folder. */
  readonly fontNames: (snapshotId: string) => readonly string[]
  readonly sheet: (snapshotId: string) => FontSheet | null
  /** The newest font set of a key that the site accepted. */
  readonly latestAccepted: (apiKey: string) => FontSheet | null
  /** Records the site's answer and the resulting tree with public URLs. */
  readonly settle: (snapshotId: string, tree: string, outcome: CallbackOutcome) => void
}

export function createSnapshots(db: Database, contents: Contents): Snapshots {
  const add = db.prepare<[Snapshot & { contentId: number }]>(
    `INSERT INTO snapshot (snapshot_id, fingerprint, api_key, material_id, created_ms, tree, css, content_id)
     VALUES (@snapshotId, @fingerprint, @apiKey, @materialId, @createdMs, @tree, @css, @contentId)`,
  )
  const owner = db.prepare<[string, string], SnapshotOwner>(
    `SELECT api_key AS apiKey, material_id AS materialId FROM snapshot WHERE fingerprint = ? AND snapshot_id = ?`,
  )
  const contentOf = db.prepare<[string], { content_id: number }>(
    'SELECT content_id FROM snapshot WHERE snapshot_id = ?',
  )
  const sheet = db.prepare<[string], FontSheet>(
    'SELECT snapshot_id AS snapshotId, css FROM snapshot WHERE snapshot_id = ?',
  )
  const latestAccepted = db.prepare<[string], FontSheet>(
    `SELECT snapshot_id AS snapshotId, css FROM snapshot WHERE api_key = ? AND result = 'merged'
     ORDER BY created_ms DESC, rowid DESC LIMIT 1`,
  )
  const settle = db.prepare<[CallbackOutcome & { snapshotId: string; tree: string }]>(
    `UPDATE snapshot SET tree = @tree, result = @result, error = @error, message = @message
     WHERE snapshot_id = @snapshotId`,
  )
  return {
    add: db.transaction((snapshot: Snapshot) => {
      add.run({ ...snapshot, contentId: contents.add(snapshot.archive, storedFilesOf(snapshot.archive)) })
    }),
    owner: (fingerprint, snapshotId) => owner.get(fingerprint, snapshotId) ?? null,
    archive(snapshotId) {
      const row = contentOf.get(snapshotId)
      return row === undefined ? null : contents.whole(row.content_id)
    },
    font(snapshotId, fileName) {
      const row = contentOf.get(snapshotId)
      return row === undefined ? null : contents.file(row.content_id, fontEntry(fileName))
    },
    fontNames(snapshotId) {
      const row = contentOf.get(snapshotId)
      return row === undefined ? [] : contents.fileNames(row.content_id, fontsFolder)
    },
    sheet: (snapshotId) => sheet.get(snapshotId) ?? null,
    latestAccepted: (apiKey) => latestAccepted.get(apiKey) ?? null,
    settle: (snapshotId, tree, outcome) => void settle.run({ ...outcome, snapshotId, tree }),
  }
}
