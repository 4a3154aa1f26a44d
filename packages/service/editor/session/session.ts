/** The result of a save, as the emulator reports it. */
export interface SaveReport {
  readonly result: 'merged' | 'rejected' | 'webhook_failed'
  /** Error code of a failed webhook; null otherwise. */
  readonly error: string | null
  /** The site's own message, or a description of the error. */
  readonly message: string
  readonly versionId: string | null
}

/** A file that could not be fetched from the site when the session was restored. */
export interface LostFile {
  readonly name: string
  readonly url: string
  readonly reason: string
}

/** A session as the editor page uses it. Times are ISO 8601. */
export interface SessionView {
  readonly materialId: string
  /** The state's exact JSON text. */
  readonly state: string
  /** null before the first save, and until the site has answered. */
  readonly lastSave: SaveReport | null
  /** The version it shows; null before the first save. */
  readonly baseVersionId: string | null
  /** Whether it shows an earlier version than the last saved one. */
  readonly isRolledBack: boolean
  readonly lost: readonly LostFile[]
  readonly historyKeptUntil: string | null
  /** The site's font families, and the style sheet that loads them. */
  readonly fonts: { readonly cssUrl: string | null; readonly families: readonly string[] }
}

/** One saved version in the history. */
export interface VersionView {
  readonly versionId: string
  readonly savedAt: string
  readonly userEmail: string | null
  readonly mediaCount: number
  readonly outcome: SaveReport | null
  /** Whether the session shows this version's state. */
  readonly isCurrent: boolean
}

/** A pending fault of the emulator. */
export interface Fault {
  readonly kind: string
  readonly times: number
  readonly ms: number | null
}
