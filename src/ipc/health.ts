import type { Answer, Health, KeychainHealth, ListenerState } from '@galley/library/records'
import { chosenToken, isEmail, retention } from '@galley/library/records'
import { z } from 'zod'

import type { ChosenPath, Started } from './call.ts'
import { asks, nothing, siteId } from './call.ts'

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

/** The library for the next start. */
export interface ChosenLibrary {
  readonly folder: string
  /**
   * True if the variable GALLEY_LIBRARY names another library: the chosen one opens once, when Galley restarts from here.
   */
  readonly isOverruled: boolean
}

export const healthCalls = {
  readHealth: asks(nothing).gives<Health>(),
  openProblems: asks(nothing).gives<OpenProblems>(),
  probeKeychain: asks(nothing).gives<KeychainHealth>(),
  listenerState: asks(nothing).gives<ListenerState>(),
  startListener: asks(nothing).gives<ListenerState>(),
  /** Stops receiving callbacks until the listener is started again. */
  stopListener: asks(nothing).gives<ListenerState>(),
  restartListener: asks(nothing).gives<ListenerState>(),
  /** Dismisses the times when no saves arrived. */
  forgetSleepGaps: asks(nothing).gives<null>(),
  /** Dismisses the notice of skipped entries, on this computer. */
  forgetSkippedEntries: asks(nothing).gives<null>(),
  /** The task ends with a LibraryReport. */
  startLibraryCheck: asks(z.strictObject({ isRepair: z.boolean() })).gives<Started>(),
  /** Asks for a folder, unless the settings name one. The task ends with a KeptBackup. null if the person cancels. */
  startBackup: asks(z.strictObject({ ask: z.boolean() })).gives<Started | Answer<null>>(),
  /** Asks for a backup to restore; null if the person cancels. */
  chooseBackup: asks(nothing).gives<ChosenPath | null>(),
  /** Asks for a new, empty folder to restore to; null if the person cancels. */
  chooseRestoreFolder: asks(nothing).gives<ChosenPath | null>(),
  /** Takes both tokens. The task ends with a RestoredLibrary. The open library stays unchanged. */
  startRestore: asks(restoreRequest).gives<Started>(),
  /** Restarts the app with the library that was restored last, in this session. */
  openRestoredLibrary: asks(nothing).gives<Answer<null>>(),
  /**
   * Restarts the app and rebuilds the index from the log, or first writes the log from the index. A system dialog asks for
   * confirmation; nothing happens if the person cancels.
   */
  rebuildIndex: asks(z.strictObject({ from: rebuildSource })).gives<Answer<null>>(),
  /** Deletes unused files. The task ends with a CollectReport. */
  startCollect: asks(z.strictObject({ isDryRun: z.boolean() })).gives<Started>(),
  /**
   * Permanently deletes versions that the retention rules allow to delete, of one site or of all. A system dialog asks for
   * confirmation. The task ends with a PruneReport. null if the person cancels.
   */
  startPrune: asks(z.strictObject({ site: siteId.nullable(), retention, isDryRun: z.boolean() })).gives<
    Started | Answer<null>
  >(),
  /**
   * Removes a person's data from the library. A system dialog asks for confirmation. The task ends with an EraseReport. null
   * if the person cancels.
   */
  startErase: asks(z.strictObject({ email: z.string().refine(isEmail), isDryRun: z.boolean() })).gives<
    Started | Answer<null>
  >(),
  libraryFolder: asks(nothing).gives<string>(),
  /** Shows the library in the file manager. */
  openLibraryFolder: asks(nothing).gives<Answer<null>>(),
  /** Asks for a folder to open as the library at the next start; null if the person cancels. */
  chooseLibraryFolder: asks(nothing).gives<Answer<ChosenLibrary | null>>(),
  /** Restarts the app, for example with another library. */
  relaunch: asks(nothing).gives<null>(),
}
