import { z } from 'zod'

import type { BackupReport, CheckReport, RestoreReport } from '../domain/care-reports.ts'
import type { LibraryOpening } from '../domain/library-opening.ts'
import type { ListenerState } from '../domain/listener-state.ts'
import { isEmail } from '../domain/person.ts'
import type { Runtime } from '../domain/runtime.ts'
import type { SiteId, TaskId } from '../ids.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { ListeningGap, UnsignedSaves } from './materials.ts'
import type { Answer, Inputs } from './problem.ts'
import type { PausedSaves } from './rules.ts'
import { siteIdText } from './site-id.ts'
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

const rebuildSource = z.enum(['log', 'index'])
/** The source for rebuilding an index. */
export type RebuildSource = z.infer<typeof rebuildSource>

/** Entries of the log that every computer skips, because they are none of its format or contradict earlier ones. */
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
  /** Not counted: anybody can send what looks like it. */
  | ({ readonly kind: 'unsigned_saves' } & UnsignedSaves)

export interface SiteWithProblems {
  readonly id: string
  readonly name: string
  readonly problems: readonly OpenSiteProblem[]
}

/**
 * What stops saves or endangers stored data. A pause, a missing backup and a time asleep are lines of the Health screen that
 * do not count: a person has chosen them, or can no longer do anything about them.
 */
export interface OpenProblems {
  readonly count: number
  /** The most urgent of them; null if there are none. */
  readonly urgency: 'danger' | 'warning' | null
  /** The affected sites. */
  readonly sites: readonly string[]
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

const restoreRequest = z.strictObject({ backup: chosenToken, folder: chosenToken })
export type RestoreRequest = z.infer<typeof restoreRequest>

/** The library for the next start. */
export interface ChosenLibrary {
  readonly folder: string
  /**
   * True if the variable GALLEY_LIBRARY names another library: the chosen one opens once, when Galley restarts from here.
   */
  readonly isOverruled: boolean
}

export interface HealthCalls {
  readHealth: { input: undefined; output: Health }
  openProblems: { input: undefined; output: OpenProblems }
  probeKeychain: { input: undefined; output: KeychainHealth }
  listenerState: { input: undefined; output: ListenerState }
  startListener: { input: undefined; output: ListenerState }
  /** Stops receiving callbacks until the listener is started again. */
  stopListener: { input: undefined; output: ListenerState }
  restartListener: { input: undefined; output: ListenerState }
  /** Dismisses the times when no saves arrived. */
  forgetSleepGaps: { input: undefined; output: null }
  /** Dismisses the notice of skipped entries, on this computer. */
  forgetSkippedEntries: { input: undefined; output: null }
  /** The task ends with a LibraryReport. */
  startLibraryCheck: { input: { isRepair: boolean }; output: Answer<{ readonly task: TaskId }> }
  /** Asks for a folder, unless the settings name one. The task ends with a KeptBackup. null if the person cancels. */
  startBackup: { input: { ask: boolean }; output: Answer<{ readonly task: TaskId } | null> }
  /** Asks for a backup to restore; null if the person cancels. */
  chooseBackup: { input: undefined; output: ChosenPath | null }
  /** Asks for a new, empty folder to restore to; null if the person cancels. */
  chooseRestoreFolder: { input: undefined; output: ChosenPath | null }
  /** Takes both tokens. The task ends with a RestoredLibrary. The open library stays unchanged. */
  startRestore: { input: RestoreRequest; output: Answer<{ readonly task: TaskId }> }
  /** Restarts the app with the library that was restored last, in this session. */
  openRestoredLibrary: { input: undefined; output: Answer<null> }
  /**
   * Restarts the app and rebuilds the index from the log, or first writes the log from the index. A system dialog asks for
   * confirmation; nothing happens if the person cancels.
   */
  rebuildIndex: { input: { from: RebuildSource }; output: Answer<null> }
  /** Deletes unused files. The task ends with a CollectReport. */
  startCollect: { input: { isDryRun: boolean }; output: Answer<{ readonly task: TaskId }> }
  /**
   * Permanently deletes versions that the retention rules allow to delete, of one site or of all. A system dialog asks for
   * confirmation. The task ends with a PruneReport. null if the person cancels.
   */
  startPrune: {
    input: { site: SiteId | null; retention: Retention; isDryRun: boolean }
    output: Answer<{ readonly task: TaskId } | null>
  }
  /**
   * Removes a person's data from the library. A system dialog asks for confirmation. The task ends with an EraseReport. null
   * if the person cancels.
   */
  startErase: { input: { email: string; isDryRun: boolean }; output: Answer<{ readonly task: TaskId } | null> }
  libraryFolder: { input: undefined; output: string }
  /** Shows the library in the file manager. */
  openLibraryFolder: { input: undefined; output: Answer<null> }
  /** Asks for a folder to open as the library at the next start; null if the person cancels. */
  chooseLibraryFolder: { input: undefined; output: Answer<ChosenLibrary | null> }
  /** Restarts the app, for example with another library. */
  relaunch: { input: undefined; output: null }
}

export const healthInputs: Inputs<HealthCalls> = {
  readHealth: z.undefined(),
  openProblems: z.undefined(),
  probeKeychain: z.undefined(),
  listenerState: z.undefined(),
  startListener: z.undefined(),
  stopListener: z.undefined(),
  restartListener: z.undefined(),
  forgetSleepGaps: z.undefined(),
  forgetSkippedEntries: z.undefined(),
  startLibraryCheck: z.strictObject({ isRepair: z.boolean() }),
  startBackup: z.strictObject({ ask: z.boolean() }),
  chooseBackup: z.undefined(),
  chooseRestoreFolder: z.undefined(),
  startRestore: restoreRequest,
  openRestoredLibrary: z.undefined(),
  rebuildIndex: z.strictObject({ from: rebuildSource }),
  startCollect: z.strictObject({ isDryRun: z.boolean() }),
  startPrune: z.strictObject({ site: siteIdText.nullable(), retention, isDryRun: z.boolean() }),
  startErase: z.strictObject({ email: z.string().refine(isEmail), isDryRun: z.boolean() }),
  libraryFolder: z.undefined(),
  openLibraryFolder: z.undefined(),
  chooseLibraryFolder: z.undefined(),
  relaunch: z.undefined(),
}
