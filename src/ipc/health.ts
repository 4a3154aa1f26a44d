import type { Answer, Health, KeychainHealth, ListenerState, Retention } from '@galley/library/records'
import { chosenToken, isEmail, retention, siteIdText } from '@galley/library/records'
import type { SiteId, TaskId } from '@galley/wire'
import { z } from 'zod'

import type { ChosenPath } from './chosen-path.ts'
import type { Inputs } from './problem.ts'

const rebuildSource = z.enum(['log', 'index'])

/** The source for rebuilding an index. */
export type RebuildSource = z.infer<typeof rebuildSource>

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
