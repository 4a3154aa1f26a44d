import type { Database } from 'better-sqlite3'

import { mediaEntry, mediaFolder } from '../archives/file-names.ts'
import { storedFilesOf } from '../archives/stored-files.ts'
import type { CallbackOutcome } from '../callbacks/outcome.ts'
import type { Contents, StoredBytes } from './contents.ts'

/** A saved version before the site has answered. */
export interface NewVersion {
  readonly versionId: string
  readonly sessionId: string
  readonly cdateMs: number
  /** When it was saved, which counts as an access; `cdateMs` may be later. */
  readonly savedMs: number
  readonly userEmail: string | null
  readonly html: string
  readonly state: string
  /** The session's metadata with this version's service keys. */
  readonly metadata: string
  /** The media ZIP. */
  readonly archive: Buffer
}

/** A version in a list; `outcome` is null until the site has answered. */
export interface StoredVersion {
  readonly versionId: string
  readonly cdateMs: number
  readonly userEmail: string | null
  readonly outcome: CallbackOutcome | null
  /** Number of files in its archive. */
  readonly mediaCount: number
  /** Size of its archive. */
  readonly sizeBytes: number
}

/** A version's content: `state` has the URLs from the site. */
interface VersionPage {
  readonly versionId: string
  readonly cdateMs: number
  readonly html: string
  readonly state: string
}

export interface Versions {
  /** The creation time for a version saved now: later than all earlier ones of its session. */
  readonly nextCdateMs: (sessionId: string, nowMs: number) => number
  /** Stores the version as the current one of its session, with its state and metadata. */
  readonly add: (version: NewVersion) => void
  readonly get: (sessionId: string, versionId: string) => StoredVersion | null
  /** Newest first. */
  readonly list: (sessionId: string) => readonly StoredVersion[]
  readonly page: (sessionId: string, versionId: string) => VersionPage | null
  readonly archive: (sessionId: string, versionId: string) => StoredBytes | null
  /** A media file in the version's archive, by its name without the folder. */
  readonly media: (sessionId: string, versionId: string, fileName: string) => StoredBytes | null
  /** Records the site's answer and the resulting state; a session that shows another version keeps its state. */
  readonly settle: (versionId: string, state: string, outcome: CallbackOutcome) => void
}

interface VersionRow extends CallbackOutcomeRow {
  readonly version_id: string
  readonly cdate_ms: number
  readonly user_email: string | null
  readonly media_count: number
  readonly size_bytes: number
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
  mediaCount: row.media_count,
  sizeBytes: row.size_bytes,
})

const selectVersion = `
  SELECT version_id, cdate_ms, user_email, result, error, message, size_bytes,
    (SELECT count(*) FROM stored_file
     WHERE stored_file.content_id = version.content_id AND substr(name, 1, ${mediaFolder.length}) = '${mediaFolder}') AS media_count
  FROM version JOIN content USING (content_id)
  WHERE session_id = ?`

export function createVersions(db: Database, contents: Contents): Versions {
  const lastCdate = db.prepare<[string], { last_cdate_ms: number }>(
    'SELECT last_cdate_ms FROM session WHERE session_id = ?',
  )
  const insert = db.prepare<[NewVersion & { contentId: number }]>(
    `INSERT INTO version (version_id, session_id, cdate_ms, user_email, html, state, content_id)
     VALUES (@versionId, @sessionId, @cdateMs, @userEmail, @html, @state, @contentId)`,
  )
  const makeCurrent = db.prepare<[NewVersion]>(
    `UPDATE session SET version_id = @versionId, base_version_id = @versionId, state = @state, metadata = @metadata,
       last_cdate_ms = @cdateMs, last_access_ms = @savedMs
     WHERE session_id = @sessionId`,
  )
  const get = db.prepare<[string, string], VersionRow>(`${selectVersion} AND version_id = ?`)
  const list = db.prepare<[string], VersionRow>(`${selectVersion} ORDER BY cdate_ms DESC`)
  const page = db.prepare<[string, string], VersionPage>(
    `SELECT version_id AS versionId, cdate_ms AS cdateMs, html, state FROM version
     WHERE session_id = ? AND version_id = ?`,
  )
  const contentOf = db.prepare<[string, string], { content_id: number }>(
    'SELECT content_id FROM version WHERE session_id = ? AND version_id = ?',
  )
  const settle = db.prepare<[CallbackOutcome & { versionId: string; state: string }]>(
    `UPDATE version SET state = @state, result = @result, error = @error, message = @message
     WHERE version_id = @versionId`,
  )
  const settleSession = db.prepare<[{ versionId: string; state: string }]>(
    `UPDATE session SET state = @state WHERE base_version_id = @versionId
       AND session_id = (SELECT session_id FROM version WHERE version_id = @versionId)`,
  )
  return {
    nextCdateMs: (sessionId, nowMs) => Math.max(nowMs, (lastCdate.get(sessionId)?.last_cdate_ms ?? 0) + 1),
    add: db.transaction((version: NewVersion) => {
      insert.run({ ...version, contentId: contents.add(version.archive, storedFilesOf(version.archive)) })
      makeCurrent.run(version)
    }),
    get(sessionId, versionId) {
      const row = get.get(sessionId, versionId)
      return row === undefined ? null : toVersion(row)
    },
    list: (sessionId) => list.all(sessionId).map(toVersion),
    page: (sessionId, versionId) => page.get(sessionId, versionId) ?? null,
    archive(sessionId, versionId) {
      const row = contentOf.get(sessionId, versionId)
      return row === undefined ? null : contents.whole(row.content_id)
    },
    media(sessionId, versionId, fileName) {
      const row = contentOf.get(sessionId, versionId)
      return row === undefined ? null : contents.file(row.content_id, mediaEntry(fileName))
    },
    settle: db.transaction((versionId: string, state: string, outcome: CallbackOutcome) => {
      settle.run({ ...outcome, versionId, state })
      settleSession.run({ versionId, state })
    }),
  }
}
