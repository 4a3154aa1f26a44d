import type { Cause, MaterialId, SiteId, VersionId } from '@galley/wire'
// Reports of library care, for the command line and the window. Sizes are in bytes, times in ISO 8601 UTC.

/** A material, version or font set that is affected by a problem. */
export interface Touched {
  readonly site: SiteId
  /** Null for font sets. */
  readonly materialId: MaterialId | null
  readonly versionId: VersionId | null
  /** `page`, `state`, `archive`, `css`, `tree`, `answer`, or the name of a media or font file; null: all of it. */
  readonly part: string | null
}

/** What is wrong with entries of a log. The last two are differences from the bucket of a team. */
export type EntryState =
  | 'damaged'
  | 'missing'
  /** Does not follow the entry before it. */
  | 'unlinked'
  /** Written by a newer Galley. */
  | 'newer'
  | 'not_in_index'
  | 'cut_off'
  /** Contradicts earlier entries, so the index has only a part of it. */
  | 'contradicting'
  | 'missing_in_bucket'
  | 'damaged_in_bucket'

/**
 * The subject of a finding; its text is made where it is shown. Refers to items of the library, never to a path on this
 * machine.
 */
export type FindingFacts =
  /** `verdict`: SQLite's message, in English. */
  | { readonly code: 'table_damaged'; readonly verdict: string }
  /** The index could not be read, or the log of a team could not be followed. */
  | { readonly code: 'cause'; readonly reason: Cause }
  | { readonly code: 'rows_differ'; readonly table: string; readonly rows: number }
  | { readonly code: 'index_of_other_log' }
  | { readonly code: 'entries'; readonly state: EntryState; readonly from: number; readonly upTo: number }
  /** An entry of the log that every computer skips. `why`: the first value that cannot be used, as a path; '': all of it. */
  | { readonly code: 'skipped'; readonly position: number; readonly why: string }
  /** How many segments of the log another program has changed. */
  | { readonly code: 'line_ends'; readonly segments: number }
  | { readonly code: 'search_outdated' }
  /** `pieces`: how many blobs of the file are lost. */
  | { readonly code: 'file'; readonly inBucket: boolean; readonly pieces: number }
  /** The first names of the missing files, and how many there are in all. */
  | { readonly code: 'references'; readonly names: readonly string[]; readonly all: number }
  | { readonly code: 'file_unused' }
  | { readonly code: 'leftover' }
  /** The object that names the library in the bucket of a team: without it, no computer can join. */
  | { readonly code: 'marker'; readonly isMissing: boolean }
  /** The newest checkpoint in the bucket of a team, with which a computer joins. */
  | { readonly code: 'checkpoint'; readonly isMissing: boolean }

/** A problem in a library. */
export interface Finding {
  readonly kind:
    /** SQLite reports that the index is damaged. */
    | 'index_damaged'
    /** Rows of the index differ from the log. */
    | 'index_differs'
    /** Index and log do not belong together. */
    | 'log_mismatch'
    /** Entries of the log are damaged, missing or out of order. */
    | 'log_damaged'
    /** An entry of the log that every computer skips: no fault of this library, and nothing is lost. */
    | 'entry_skipped'
    /** Another program has changed the line ends of the log. All entries can be read. */
    | 'log_altered'
    /** The full-text index does not match its documents. */
    | 'search_index'
    | 'file_missing'
    /** The bytes of a file differ from what was saved. */
    | 'file_changed'
    /** A page names one of the library's media files that is missing. */
    | 'reference_missing'
    /** A file that is not in the index. */
    | 'orphan_file'
    /** A file in staging that no save has put there. */
    | 'staging_leftover'
  readonly facts: FindingFacts
  /** The affected file, by its name in the library. */
  readonly file: string | null
  /** Affected items; at most five. */
  readonly usedBy: readonly Touched[]
  /** Whether a repair can fix it without losing anything. */
  readonly fixable: boolean
  readonly fixed: boolean
}

/** Whether a finding is a problem that a check has left. */
export const isLeft = ({ kind, fixed }: Finding): boolean => !fixed && kind !== 'entry_skipped'

/**
 * The findings of a check. A repair moves files that are not in the index aside and restores lost files from stored
 * archives.
 */
export interface CheckReport {
  /** Nothing is wrong, or everything was repaired. */
  readonly ok: boolean
  readonly isRepair: boolean
  readonly files: number
  readonly bytes: number
  /** How files that only the bucket of a team has were compared; absent if the bucket was not asked. */
  readonly inBucket?: ComparedInBucket
  readonly findings: readonly Finding[]
  /** Files of interrupted saves and downloads, by their names in the library. They are no fault: no stored save needs them. */
  readonly interrupted: readonly string[]
}

/** How many files, by what was compared. */
export interface ComparedInBucket {
  readonly bySize: number
  readonly fetched: number
}

/** A backup that was written, read back completely, and moved to its place. */
export interface BackupReport {
  readonly at: string
  /** The files in the library; `bytes` is the size of the backup. */
  readonly files: number
  readonly bytes: number
  readonly materials: number
  readonly versions: number
  /** Files that were missing from the library, and files with other bytes, which were backed up as they are. */
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
  /** False: the backup has only the log; the files are still in the library folder, if it exists. */
  readonly withFiles: boolean
}

/** A library that was restored from a backup. */
export interface RestoreReport {
  readonly backedUpAt: string
  readonly files: number
  readonly bytes: number
  readonly materials: number
  readonly versions: number
  /** Sites whose secret must be entered again: a backup has none. */
  readonly sitesWithoutSecret: readonly string[]
  /** Files that were already missing or damaged when the backup was written. */
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
  /** False: the backup has only the log; the files are still in the library folder, if it exists. */
  readonly withFiles: boolean
}

/** Deleted file objects, and log entries and checkpoints that a later checkpoint replaces. */
export interface BucketReport {
  readonly objects: number
  readonly entries: number
  readonly checkpoints: number
}

/**
 * Unused files that were deleted, or would be. `setAside` counts files that were never in the index and are now in
 * `lost-and-found`.
 */
export interface CollectReport {
  readonly isDryRun: boolean
  /** Rows of unused blobs. */
  readonly blobs: number
  readonly files: number
  readonly bytes: number
  /** What was done in the bucket of a team, or would be; absent in other libraries. */
  readonly bucket?: BucketReport
  readonly setAside: { readonly files: number; readonly bytes: number }
}

/** Why a version is kept, whatever its age: it is current or published, someone marked it, or it was exported. */
export const protections = ['current', 'outgoing', 'pinned', 'approved', 'tagged', 'noted', 'exported'] as const
export type Protection = (typeof protections)[number]

/** A version to be deleted. */
export interface PrunedVersion {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string
  readonly versionId: VersionId
  readonly number: number
  readonly receivedAt: string
  readonly sizeBytes: number
}

/** Versions that were deleted, or would be. */
export interface PruneReport {
  readonly isDryRun: boolean
  readonly versions: number
  /** Files and bytes to be deleted; in a real run, including all other unused files. */
  readonly files: number
  readonly bytes: number
  /** The first thousand of them. */
  readonly list: readonly PrunedVersion[]
  /** How many versions match the rule but are protected, by reason. */
  readonly protected: Readonly<Record<Protection, number>>
}

/** A person who was erased from the library, or would be. */
export interface EraseReport {
  readonly isDryRun: boolean
  /** Versions, materials, callbacks, rules and saved views that named the person. */
  readonly rows: number
  /** Stored archives that were rewritten. */
  readonly archives: number
  /** What was done in the bucket of a team, or would be; absent in other libraries. */
  readonly bucket?: BucketReport
  /** Texts of releases that name the person. They are content, like pages, and are kept. */
  readonly releaseTexts: number
  /** Font sets whose style sheet or font tree names the person. They are content too. */
  readonly fontSets: number
  /**
   * Paths of backups and other old copies of the library, and of stored archives that no version uses, which may still name
   * the person.
   */
  readonly backups: readonly string[]
}
