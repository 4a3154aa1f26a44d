import type { Database } from 'better-sqlite3'

/** The editing session of a site's material. `metadata` and `state` are JSON object texts. */
export interface Session {
  readonly sessionId: string
  readonly fingerprint: string
  readonly apiKey: string
  readonly materialId: string
  readonly callbackUrl: string
  /** By which the site called the emulator when it opened the session. */
  readonly origin: string
  readonly metadata: string
  /** Used by the next opening (contract, session/open rule 3). */
  readonly state: string
  /** The last saved version, null before the first save. */
  readonly versionId: string | null
  /** The version whose state the session shows: the last saved one, or an earlier one after a rollback. */
  readonly baseVersionId: string | null
  readonly lastAccessMs: number
}

/** The fields that a repeated open updates. */
type Reopening = Pick<Session, 'sessionId' | 'callbackUrl' | 'origin' | 'metadata'> & { readonly nowMs: number }

export interface Sessions {
  readonly ofMaterial: (apiKey: string, materialId: string) => Session | null
  readonly byFingerprint: (fingerprint: string) => Session | null
  /** The last used session of this key. */
  readonly latestOf: (apiKey: string) => Session | null
  /** Sessions ordered by last use, newest first. */
  readonly list: (limit: number) => readonly Session[]
  readonly count: () => number
  readonly add: (session: Session) => void
  readonly reopen: (reopening: Reopening) => void
  readonly touch: (sessionId: string, nowMs: number) => void
  /** Rolls the session back to one of its versions and that version's state; false when it has no such version. */
  readonly rollBack: (sessionId: string, versionId: string) => boolean
  /** Deletes sessions unused since this time, with all their data. */
  readonly dropUnusedSince: (ms: number) => void
}

interface SessionRow {
  readonly session_id: string
  readonly fingerprint: string
  readonly api_key: string
  readonly material_id: string
  readonly callback_url: string
  readonly origin: string
  readonly metadata: string
  readonly state: string
  readonly version_id: string | null
  readonly base_version_id: string | null
  readonly last_access_ms: number
}

const toSession = (row: SessionRow): Session => ({
  sessionId: row.session_id,
  fingerprint: row.fingerprint,
  apiKey: row.api_key,
  materialId: row.material_id,
  callbackUrl: row.callback_url,
  origin: row.origin,
  metadata: row.metadata,
  state: row.state,
  versionId: row.version_id,
  baseVersionId: row.base_version_id,
  lastAccessMs: row.last_access_ms,
})

const toSessionOrNull = (row: SessionRow | undefined): Session | null => (row === undefined ? null : toSession(row))

export function createSessions(db: Database): Sessions {
  const ofMaterial = db.prepare<[string, string], SessionRow>(
    'SELECT * FROM session WHERE api_key = ? AND material_id = ?',
  )
  const byFingerprint = db.prepare<[string], SessionRow>('SELECT * FROM session WHERE fingerprint = ?')
  const latestOf = db.prepare<[string], SessionRow>(
    'SELECT * FROM session WHERE api_key = ? ORDER BY last_access_ms DESC, rowid DESC LIMIT 1',
  )
  const list = db.prepare<[number], SessionRow>(
    'SELECT * FROM session ORDER BY last_access_ms DESC, rowid DESC LIMIT ?',
  )
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM session')
  const add = db.prepare<[Session]>(
    `INSERT INTO session (session_id, fingerprint, api_key, material_id, callback_url, origin, metadata, state, opened_ms, last_access_ms)
     VALUES (@sessionId, @fingerprint, @apiKey, @materialId, @callbackUrl, @origin, @metadata, @state, @lastAccessMs, @lastAccessMs)`,
  )
  const reopen = db.prepare<[Reopening]>(
    `UPDATE session SET callback_url = @callbackUrl, origin = @origin, metadata = @metadata, last_access_ms = @nowMs
     WHERE session_id = @sessionId`,
  )
  const touch = db.prepare<[number, string]>('UPDATE session SET last_access_ms = ? WHERE session_id = ?')
  const rollBack = db.prepare<[{ sessionId: string; versionId: string }]>(
    `UPDATE session SET base_version_id = version.version_id, state = version.state
     FROM version WHERE session.session_id = @sessionId
       AND version.session_id = @sessionId AND version.version_id = @versionId`,
  )
  const unusedSince = db.prepare<[number]>('SELECT 1 FROM session WHERE last_access_ms < ? LIMIT 1')
  const dropUnusedSince = db.prepare<[number]>('DELETE FROM session WHERE last_access_ms < ?')
  return {
    ofMaterial: (apiKey, materialId) => toSessionOrNull(ofMaterial.get(apiKey, materialId)),
    byFingerprint: (fingerprint) => toSessionOrNull(byFingerprint.get(fingerprint)),
    latestOf: (apiKey) => toSessionOrNull(latestOf.get(apiKey)),
    list: (limit) => list.all(limit).map(toSession),
    count: () => count.get()?.n ?? 0,
    add: (session) => void add.run(session),
    reopen: (reopening) => void reopen.run(reopening),
    touch: (sessionId, nowMs) => void touch.run(nowMs, sessionId),
    rollBack: (sessionId, versionId) => rollBack.run({ sessionId, versionId }).changes > 0,
    dropUnusedSince(ms) {
      // Called for every request, so a transaction is opened only if there is something to delete.
      if (unusedSince.get(ms) !== undefined) dropUnusedSince.run(ms)
    },
  }
}
