import type { Database } from 'better-sqlite3'

import type { CallbackOutcome } from '../callbacks/outcome.ts'

/** A saved state of a material before the site has answered. */
export interface NewVersion {
  readonly versionId: string
  readonly sessionId: string
  readonly cdateMs: number
  readonly userEmail: string | null
  readonly html: string
  readonly state: string
  /** The session's metadata with this version's service keys. */
  readonly metadata: string
  /** The media ZIP. */
  readonly archive: Buffer
}

/** A version without its archive; `outcome` is null while the site has not answered. */
interface StoredVersion {
  readonly versionId: string
  readonly cdateMs: number
  readonly userEmail: string | null
  readonly outcome: CallbackOutcome | null
}

export interface Versions {
  /** When a version saved now is created: later than every earlier one of its session. */
  readonly nextCdateMs: (sessionId: string, nowMs: number) => number
  /** Stores the version and makes it the current one of its session, with its state and metadata. */
  readonly add: (version: NewVersion) => void
  readonly get: (sessionId: string, versionId: string) => StoredVersion | null
  readonly archive: (sessionId: string, versionId: string) => Buffer | null
  /** Records how the site answered and the state after it; a newer version of the session keeps its own state. */
  readonly settle: (versionId: string, state: string, outcome: CallbackOutcome) => void
}

interface VersionRow extends CallbackOutcomeRow {
  readonly version_id: string
  readonly cdate_ms: number
  readonly user_email: string | null
}

interface CallbackOutcomeRow {
  readonly result: CallbackOutcome['result'] | null
  readonly error: CallbackOutcome['error']
  readonly message: string | null
}

const toOutcome = ({ result, error, message }: CallbackOutcomeRow): CallbackOutcome | null =>
  result === null ? null : { result, error, message: message ?? '' }

const toVersion = (row: VersionRow): StoredVersion => ({
  versionId: row.version_id,
  cdateMs: row.cdate_ms,
  userEmail: row.user_email,
  outcome: toOutcome(row),
})

export function createVersions(db: Database): Versions {
  const lastCdate = db.prepare<[string], { last_cdate_ms: number }>(
    'SELECT last_cdate_ms FROM session WHERE session_id = ?',
  )
  const insert = db.prepare<[NewVersion]>(
    `INSERT INTO version (version_id, session_id, cdate_ms, user_email, html, state, archive)
     VALUES (@versionId, @sessionId, @cdateMs, @userEmail, @html, @state, @archive)`,
  )
  const makeCurrent = db.prepare<[NewVersion]>(
    `UPDATE session SET version_id = @versionId, state = @state, metadata = @metadata, last_cdate_ms = @cdateMs
     WHERE session_id = @sessionId`,
  )
  const get = db.prepare<[string, string], VersionRow>(
    `SELECT version_id, cdate_ms, user_email, result, error, message FROM version
     WHERE session_id = ? AND version_id = ?`,
  )
  const archive = db.prepare<[string, string], { archive: Buffer }>(
    'SELECT archive FROM version WHERE session_id = ? AND version_id = ?',
  )
  const settle = db.prepare<[CallbackOutcome & { versionId: string; state: string }]>(
    `UPDATE version SET state = @state, result = @result, error = @error, message = @message
     WHERE version_id = @versionId`,
  )
  const settleCurrent = db.prepare<[string, string]>('UPDATE session SET state = ? WHERE version_id = ?')
  return {
    nextCdateMs: (sessionId, nowMs) => Math.max(nowMs, (lastCdate.get(sessionId)?.last_cdate_ms ?? 0) + 1),
    add: db.transaction((version: NewVersion) => {
      insert.run(version)
      makeCurrent.run(version)
    }),
    get(sessionId, versionId) {
      const row = get.get(sessionId, versionId)
      return row === undefined ? null : toVersion(row)
    },
    archive: (sessionId, versionId) => archive.get(sessionId, versionId)?.archive ?? null,
    settle: db.transaction((versionId: string, state: string, outcome: CallbackOutcome) => {
      settle.run({ ...outcome, versionId, state })
      settleCurrent.run(state, versionId)
    }),
  }
}
