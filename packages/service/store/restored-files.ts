import type { Database } from 'better-sqlite3'

/** A public file that a restored session requests from its site. */
export interface WantedFile {
  readonly name: string
  readonly url: string
}

/** A file that could not be fetched, with a readable reason. */
export interface LostFile extends WantedFile {
  readonly reason: string
}

/** The files of restored sessions. */
export interface RestoredFiles {
  /** Records the wanted files, each as lost with its reason until it is fetched. */
  readonly addWanted: (sessionId: string, files: readonly LostFile[]) => void
  /** False when the session was deleted in the meantime. */
  readonly markFetched: (sessionId: string, name: string, contentId: number) => boolean
  readonly markLost: (sessionId: string, name: string, reason: string) => void
  readonly contentOf: (sessionId: string, name: string) => number | null
  /** The lost files by name; null when the session was never restored. */
  readonly lost: (sessionId: string) => readonly LostFile[] | null
}

export function createRestoredFiles(db: Database): RestoredFiles {
  const addWanted = db.prepare<[LostFile & { sessionId: string }]>(
    'INSERT INTO restored_file (session_id, name, url, reason) VALUES (@sessionId, @name, @url, @reason)',
  )
  const markFetched = db.prepare<[number, string, string]>(
    'UPDATE restored_file SET content_id = ?, reason = NULL WHERE session_id = ? AND name = ?',
  )
  const markLost = db.prepare<[string, string, string]>(
    'UPDATE restored_file SET reason = ? WHERE session_id = ? AND name = ?',
  )
  const contentOf = db.prepare<[string, string], { content_id: number | null }>(
    'SELECT content_id FROM restored_file WHERE session_id = ? AND name = ?',
  )
  const all = db.prepare<[string], WantedFile & { readonly reason: string | null }>(
    'SELECT name, url, reason FROM restored_file WHERE session_id = ? ORDER BY name',
  )
  return {
    addWanted: db.transaction((sessionId: string, files: readonly LostFile[]) => {
      for (const file of files) addWanted.run({ ...file, sessionId })
    }),
    markFetched: (sessionId, name, contentId) => markFetched.run(contentId, sessionId, name).changes > 0,
    markLost: (sessionId, name, reason) => void markLost.run(reason, sessionId, name),
    contentOf: (sessionId, name) => contentOf.get(sessionId, name)?.content_id ?? null,
    lost(sessionId) {
      const files = all.all(sessionId)
      if (files.length === 0) return null
      return files.flatMap(({ name, url, reason }) => (reason === null ? [] : [{ name, url, reason }]))
    },
  }
}
