/** How a save ended, as the emulator tells it. */
export interface SaveReport {
  readonly result: 'merged' | 'rejected' | 'webhook_failed'
  /** Why the webhook failed, as a short name; null otherwise. */
  readonly error: string | null
  /** The site's own words, or what went wrong. */
  readonly message: string
  readonly versionId: string | null
}

/** A file that the site could not give back when the session was rebuilt. */
export interface LostFile {
  readonly name: string
  readonly url: string
  readonly reason: string
}

/** A session as the page needs it. Times are ISO 8601 texts. */
export interface SessionView {
  readonly materialId: string
  /** The state's JSON text, to the character. */
  readonly state: string
  /** null before the first save, and while the site has not answered. */
  readonly lastSave: SaveReport | null
  /** The version it shows; null before the first save. */
  readonly baseVersionId: string | null
  /** Whether it shows an older version than the one saved last. */
  readonly isRolledBack: boolean
  readonly lost: readonly LostFile[]
  readonly historyKeptUntil: string | null
  /** The site's fonts: their names, and the stylesheet that loads them. */
  readonly fonts: { readonly cssUrl: string | null; readonly families: readonly string[] }
}

/** One saved version, as the history lists it. */
export interface VersionView {
  readonly versionId: string
  readonly savedAt: string
  readonly userEmail: string | null
  readonly mediaCount: number
  readonly outcome: SaveReport | null
  /** Whether the session shows this version's state. */
  readonly isCurrent: boolean
}

/** A misbehaviour that the emulator will show, for training. */
export interface Fault {
  readonly kind: string
  readonly times: number
  readonly ms: number | null
}
