import { z } from 'zod'

import type { BackupReport, CheckReport, RestoreReport } from '../domain/care-reports.ts'
import type { LibraryOpening } from '../domain/library-opening.ts'
import type { ListenerState } from '../domain/listener-state.ts'
import type { Runtime } from '../domain/runtime.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { Answer, Inputs } from './problem.ts'
import type { PausedSaves } from './rules.ts'
import type { TaskId } from '../ids.ts'
import { isEmail } from '../domain/person.ts'
import { siteIdText } from './site-id.ts'

/** Whether secrets can be read and kept. `environment`: they come from outside and nothing is written. */
export type KeychainHealth = 'usable' | 'locked' | 'unavailable' | 'environment'

/** What a check of the library found, and when. */
export interface LibraryReport extends CheckReport {
  readonly at: string
}

/** A backup and where it lies. */
export interface KeptBackup extends BackupReport {
  readonly file: string
}

/** A library that was made from a backup and where it lies. */
export interface RestoredLibrary extends RestoreReport {
  readonly folder: string
}

export const retention = z.strictObject({
  /** The newest so many versions of each material stay; null: this rule deletes none. */
  keepVersions: z.int().min(1).max(100_000).nullable(),
  /** Versions younger than so many days stay; null: age does not count. */
  keepDays: z.int().min(1).max(36_500).nullable(),
})
/** What is not current, pinned, approved, tagged, noted or exported may go when both figures allow it; both null: nothing ever goes. */
export type Retention = z.infer<typeof retention>

const rebuildSource = z.enum(['log', 'index'])
/** What an index is made anew from. */
export type RebuildSource = z.infer<typeof rebuildSource>

/** A stretch in which the machine slept: callbacks of that time did not arrive. */
export interface SleepGap {
  readonly from: string
  readonly to: string
}

/**
 * Kept archives of a library from before the log that may still hold credentials. `waiting`: nothing is done about them now, since
 * this process has no listener or its disk failed; `unreadable`: they are lost or damaged.
 */
export interface Redaction {
  readonly kind: 'running' | 'waiting' | 'unreadable'
  readonly left: number
  /** How many there were when this process opened the library. */
  readonly total: number
}

export interface Health {
  readonly runtime: Runtime
  readonly listener: ListenerState
  readonly pauses: readonly PausedSaves[]
  /** Saves could not be stored, and nobody has looked at them yet. */
  readonly isStorageAtFault: boolean
  readonly sleepGaps: readonly SleepGap[]
  readonly keychain: KeychainHealth
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number; readonly isLow: boolean }
  readonly opening: LibraryOpening
  readonly redaction: Redaction | null
  readonly library: {
    readonly folder: string
    readonly indexBytes: number
    readonly filesBytes: number
    readonly files: number
    readonly materials: number
    readonly versions: number
    readonly callbacks: number
    readonly schema: number
    /** A folder that another program synchronises: copies of an open index may be damaged. */
    readonly syncedBy: string | null
  }
  /** `problems`: how many findings were left. */
  readonly lastCheck: (Omit<LibraryReport, 'findings'> & { readonly problems: number }) | null
  readonly lastBackup: KeptBackup | null
  /** Null: no automatic backups. */
  readonly backupEveryDays: number | null
  /** Where automatic backups go. */
  readonly backupFolder: string
}

const restoreWish = z.strictObject({ backup: chosenToken, folder: chosenToken })
export type RestoreWish = z.infer<typeof restoreWish>

/** The library of the next start. */
export interface ChosenLibrary {
  readonly folder: string
  /** The variable GALLEY_LIBRARY names another one: what is chosen is opened once, by a restart from here. */
  readonly isOverruled: boolean
}

export interface HealthCalls {
  readHealth: { input: undefined; output: Health }
  /** What a person has to do about the library, as the Health screen says: at once, soon, or nothing. */
  libraryNeedsCare: { input: undefined; output: 'danger' | 'warning' | null }
  probeKeychain: { input: undefined; output: KeychainHealth }
  listenerState: { input: undefined; output: ListenerState }
  startListener: { input: undefined; output: ListenerState }
  /** Callbacks are not received until it is started again. */
  stopListener: { input: undefined; output: ListenerState }
  restartListener: { input: undefined; output: ListenerState }
  /** The times asleep are known and seen to. */
  forgetSleepGaps: { input: undefined; output: null }
  /** Ends with a LibraryReport. */
  startLibraryCheck: { input: { isRepair: boolean }; output: Answer<{ readonly task: TaskId }> }
  /** Asks where to, unless settings name a folder; ends with a KeptBackup. null: nothing chosen. */
  startBackup: { input: { ask: boolean }; output: Answer<{ readonly task: TaskId } | null> }
  /** Asks for a backup to restore; null: nothing chosen. */
  chooseBackup: { input: undefined; output: ChosenPath | null }
  /** Asks for a new, empty folder to restore into; null: nothing chosen. */
  chooseRestoreFolder: { input: undefined; output: ChosenPath | null }
  /** Takes the tokens of both; ends with a RestoredLibrary. The open library stays as it is. */
  startRestore: { input: RestoreWish; output: Answer<{ readonly task: TaskId }> }
  /** Starts the app again on the library that was restored last; it has to have been since the app began. */
  openRestoredLibrary: { input: undefined; output: Answer<null> }
  /**
   * Has the index made anew from the log, or from a log that is written from the index first, and starts the app again for
   * it. Asks in a dialog of the system before that; nothing happens when it is not confirmed.
   */
  rebuildIndex: { input: { from: RebuildSource }; output: Answer<null> }
  /** Deletes files that nothing names; ends with a CollectReport. */
  startCollect: { input: { isDryRun: boolean }; output: Answer<{ readonly task: TaskId }> }
  /**
   * Deletes versions that the retention lets go, for good, of one site or of all; asks in a dialog of the system before
   * anything is deleted. Ends with a PruneReport. null: it was not confirmed.
   */
  startPrune: {
    input: { site: string | null; retention: Retention; isDryRun: boolean }
    output: Answer<{ readonly task: TaskId } | null>
  }
  /**
   * Takes a person out of the library; asks in a dialog of the system before anything is changed. Ends with an EraseReport.
   * null: it was not confirmed.
   */
  startErase: { input: { email: string; isDryRun: boolean }; output: Answer<{ readonly task: TaskId } | null> }
  libraryFolder: { input: undefined; output: string }
  /** Shows the library in the system's file browser. */
  openLibraryFolder: { input: undefined; output: Answer<null> }
  /** Asks for a folder that becomes the library at the next start; null: nothing chosen. */
  chooseLibraryFolder: { input: undefined; output: Answer<ChosenLibrary | null> }
  /** Starts the app again, e.g. on another library. */
  relaunch: { input: undefined; output: null }
}

export const healthInputs: Inputs<HealthCalls> = {
  readHealth: z.undefined(),
  libraryNeedsCare: z.undefined(),
  probeKeychain: z.undefined(),
  listenerState: z.undefined(),
  startListener: z.undefined(),
  stopListener: z.undefined(),
  restartListener: z.undefined(),
  forgetSleepGaps: z.undefined(),
  startLibraryCheck: z.strictObject({ isRepair: z.boolean() }),
  startBackup: z.strictObject({ ask: z.boolean() }),
  chooseBackup: z.undefined(),
  chooseRestoreFolder: z.undefined(),
  startRestore: restoreWish,
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
