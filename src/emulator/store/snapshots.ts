import type { Database } from 'better-sqlite3'

import type { CallbackOutcome } from '../callbacks/outcome.ts'

/** One saved font set of a site. `tree` is a JSON text. */
export interface Snapshot {
  readonly snapshotId: string
  /** Of the session whose callback address and metadata were used, or one made up when there was none. */
  readonly fingerprint: string
  readonly apiKey: string
  readonly materialId: string
  readonly createdMs: number
  readonly tree: string
  /** The fonts ZIP. */
  readonly archive: Buffer
}

/** Whom a download of fonts is for. */
export type SnapshotOwner = Pick<Snapshot, 'apiKey' | 'materialId'>

export interface Snapshots {
  readonly add: (snapshot: Snapshot) => void
  readonly owner: (fingerprint: string, snapshotId: string) => SnapshotOwner | null
  readonly archive: (snapshotId: string) => Buffer | null
  /** Records how the site answered and the tree after it, with the public URLs of the site. */
  readonly settle: (snapshotId: string, tree: string, outcome: CallbackOutcome) => void
}

export function createSnapshots(db: Database): Snapshots {
  const add = db.prepare<[Snapshot]>(
    `INSERT INTO snapshot (snapshot_id, fingerprint, api_key, material_id, created_ms, tree, archive)
     VALUES (@snapshotId, @fingerprint, @apiKey, @materialId, @createdMs, @tree, @archive)`,
  )
  const owner = db.prepare<[string, string], SnapshotOwner>(
    `SELECT api_key AS apiKey, material_id AS materialId FROM snapshot WHERE fingerprint = ? AND snapshot_id = ?`,
  )
  const archive = db.prepare<[string], { archive: Buffer }>('SELECT archive FROM snapshot WHERE snapshot_id = ?')
  const settle = db.prepare<[CallbackOutcome & { snapshotId: string; tree: string }]>(
    `UPDATE snapshot SET tree = @tree, result = @result, error = @error, message = @message
     WHERE snapshot_id = @snapshotId`,
  )
  return {
    add: (snapshot) => void add.run(snapshot),
    owner: (fingerprint, snapshotId) => owner.get(fingerprint, snapshotId) ?? null,
    archive: (snapshotId) => archive.get(snapshotId)?.archive ?? null,
    settle: (snapshotId, tree, outcome) => void settle.run({ ...outcome, snapshotId, tree }),
  }
}
