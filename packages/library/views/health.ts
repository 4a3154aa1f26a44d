import type { Cause } from '@galley/wire'
import { z } from 'zod'

import type { BackupReport, CheckReport, RestoreReport } from '../records/care-reports.ts'
import type { LibraryOpening } from '../records/library-opening.ts'
import type { ListenerState } from '../records/listener-state.ts'
import type { Runtime } from '../records/runtime.ts'
import type { ListeningGap, UnsignedSaves } from './materials.ts'
import type { PausedSaves } from './rules.ts'
import type { TeamView } from './team.ts'

/** Whether secrets can be read and stored. `environment`: they are read from environment variables and cannot be stored. */
export type KeychainHealth = 'usable' | 'locked' | 'unavailable' | 'environment'

/** The results of a library check with its time. */
export interface LibraryReport extends CheckReport {
  readonly at: string
}

/** A backup with its path. */
export interface KeptBackup extends BackupReport {
  readonly file: string
}

/** A library restored from a backup, with its path. */
export interface RestoredLibrary extends RestoreReport {
  readonly folder: string
}

export const retention = z.strictObject({
  /** How many of the latest versions of each material to keep; null: this rule deletes none. */
  keepVersions: z.int().min(1).max(100_000).nullable(),
  /** Versions younger than this many days are kept; null: age does not count. */
  keepDays: z.int().min(1).max(36_500).nullable(),
})

/**
 * Versions that are not current, pinned, approved, tagged, noted or exported may be deleted if both rules allow it. If both
 * are null, no version is deleted.
 */
export type Retention = z.infer<typeof retention>

/** Entries of the log that every computer skips, because they do not have its format or contradict earlier ones. */
export interface SkippedEntries {
  readonly count: number
  /** The position of the first. */
  readonly first: number
}

/** Why a site cannot receive saves, or what it has lost, until a person acts. */
export type OpenSiteProblem =
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'secret'; readonly secret: 'missing' | 'changed' }
  /** The service is on the internet, and cannot reach the callback URL or the public URL. */
  | { readonly kind: 'unreachable' }
  /** Failed saves that were not dismissed. `isStorageAtFault`: this computer could not store one of them. */
  | { readonly kind: 'failed_saves'; readonly count: number; readonly isStorageAtFault: boolean }
  /** The last message to its webhook could not be delivered. */
  | { readonly kind: 'webhook'; readonly cause: Cause }
  /** Not counted: anybody can send what looks like it. */
  | ({ readonly kind: 'unsigned_saves' } & UnsignedSaves)

export interface SiteWithProblems {
  readonly id: string
  readonly name: string
  readonly problems: readonly OpenSiteProblem[]
}

export interface Health {
  readonly runtime: Runtime
  readonly listener: ListenerState
  readonly pauses: readonly PausedSaves[]
  /** The sites that need a person, in the order of the list of sites. */
  readonly sitesWithProblems: readonly SiteWithProblems[]
  readonly sleepGaps: readonly ListeningGap[]
  readonly keychain: KeychainHealth
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number; readonly isLow: boolean }
  readonly opening: LibraryOpening
  /** null: none that no person has seen here. */
  readonly skippedEntries: SkippedEntries | null
  /** null: not a team library. */
  readonly team: TeamView | null
  readonly library: {
    readonly folder: string
    readonly indexBytes: number
    readonly filesBytes: number
    readonly files: number
    readonly materials: number
    readonly versions: number
    readonly callbacks: number
    readonly schema: number
    /** The program that syncs this folder: copies of an open index may be damaged. */
    readonly syncedBy: string | null
  }
  /** `problems`: the number of remaining findings. */
  readonly lastCheck: (Omit<LibraryReport, 'findings' | 'interrupted'> & { readonly problems: number }) | null
  readonly lastBackup: KeptBackup | null
  /** null: no automatic backups. */
  readonly backupEveryDays: number | null
  /** The folder for automatic backups. */
  readonly backupFolder: string
}
