// What the care of a library reports, to the command line and to the window alike; sizes in bytes, moments in ISO 8601 UTC.

/** A material, version or font set that something is wrong with. */
export interface Touched {
  readonly site: string
  /** Null for font sets. */
  readonly materialId: string | null
  readonly versionId: string | null
  /** `page`, `state`, `archive`, `css`, `tree`, `answer`, or the name of a media or font file; null: the whole. */
  readonly part: string | null
}

/** One thing in a library that is not as it has to be. */
export interface Finding {
  readonly kind:
    /** SQLite finds the index damaged. */
    | 'index_damaged'
    /** Rows of the index are not those that the log gives. */
    | 'index_differs'
    /** Index and log do not belong together. */
    | 'log_mismatch'
    /** Entries of the log are damaged, missing or out of order. */
    | 'log_damaged'
    /** The full-text index does not agree with its documents. */
    | 'search_index'
    | 'file_missing'
    /** The bytes of a file are not the ones that were saved. */
    | 'file_changed'
    /** A page names a media file of ours that the library does not have. */
    | 'reference_missing'
    /** A file that nothing in the index names. */
    | 'orphan_file'
    /** What a save that died has left in staging. */
    | 'staging_leftover'
  /** In English, for reports; names things of the library, never a path of the machine. */
  readonly detail: string
  /** The file it is about, by its name in the library. */
  readonly file: string | null
  /** What of the library is touched; at most five. */
  readonly usedBy: readonly Touched[]
  /** Whether a repair can mend it without losing anything. */
  readonly fixable: boolean
  readonly fixed: boolean
}

/** What a check has found; a repair sets files that nothing names aside and makes lost ones from kept archives. */
export interface CheckReport {
  /** Nothing is wrong, or nothing is any more. */
  readonly ok: boolean
  readonly isRepair: boolean
  readonly files: number
  readonly bytes: number
  readonly findings: readonly Finding[]
}

/** A backup that was written, read again from its first byte to its last, and put into its place. */
export interface BackupReport {
  readonly at: string
  /** Of the library; `bytes` is the size of the backup. */
  readonly files: number
  readonly bytes: number
  readonly materials: number
  readonly versions: number
  /** Files of the library that were not there, and those that were there with other bytes: backed up as they are. */
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
  /** False: it holds the log alone, and the files are still where the library is, or was. */
  readonly withFiles: boolean
}

/** A library that was made from a backup. */
export interface RestoreReport {
  readonly backedUpAt: string
  readonly files: number
  readonly bytes: number
  readonly materials: number
  readonly versions: number
  /** Sites whose secret has to be entered again: a backup holds none. */
  readonly sitesWithoutSecret: readonly string[]
  /** Files that were missing or damaged already when the backup was written. */
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
  /** False: it holds the log alone, and the files are still where the library is, or was. */
  readonly withFiles: boolean
}

/** What nothing needs and was deleted, or would be; `setAside` was never named and is in `lost-and-found` now. */
export interface CollectReport {
  readonly isDryRun: boolean
  /** Rows of blobs that nothing needs. */
  readonly blobs: number
  readonly files: number
  readonly bytes: number
  readonly setAside: { readonly files: number; readonly bytes: number }
}

/** Why a version stays, whatever its age: what is current or goes out, what somebody marked, and what was exported. */
export const protections = ['current', 'outgoing', 'pinned', 'approved', 'tagged', 'noted', 'exported'] as const
export type Protection = (typeof protections)[number]

/** A version that goes. */
export interface PrunedVersion {
  readonly site: string
  readonly materialId: string
  readonly title: string
  readonly versionId: string
  readonly receivedAt: string
  readonly sizeBytes: number
}

/** Versions that went, or would go. */
export interface PruneReport {
  readonly isDryRun: boolean
  readonly versions: number
  /** Files and bytes that leave the disk; in a real run with everything else that nothing needed. */
  readonly files: number
  readonly bytes: number
  /** The first thousand of them. */
  readonly list: readonly PrunedVersion[]
  /** How many the rule would take and something protects. */
  readonly protected: Readonly<Record<Protection, number>>
}

/** A person who was taken out of the library, or would be. */
export interface EraseReport {
  readonly isDryRun: boolean
  /** Versions, materials, callbacks, rules and saved views that named the person. */
  readonly rows: number
  /** Kept archives that were written again. */
  readonly archives: number
  /** Texts of releases that name the person. They are content, as pages are, and stay. */
  readonly releaseTexts: number
  /** Paths of backups and of other old copies of the library, which may still hold the person. */
  readonly backups: readonly string[]
}
