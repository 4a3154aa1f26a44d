import type { Answer, AppSettings, KeyVariable, Runtime } from '@galley/library/records'
import { appSettings } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { z } from 'zod'

import type { Inputs } from './problem.ts'

/**
 * The settings that a window may change. It can reset the backup folder, but not set it; a person confirms a listening host.
 */
export const settingsChange = appSettings
  .extend({ backups: appSettings.shape.backups.extend({ folder: z.null().optional() }) })
  .partial()

export type SettingsChange = z.infer<typeof settingsChange>

/** The built-in emulator with sample materials. */
export type TryItState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly site: SiteId; readonly url: string }

/** The version of Galley and its environment. */
export interface About {
  readonly version: string
  readonly licence: string
  readonly runtime: Runtime
  /** The folder of the library. */
  readonly library: string
  /** Whether the documentation is installed. */
  readonly hasDocumentation: boolean
}

export interface SettingsCalls {
  readAbout: { input: undefined; output: About }
  /** Shows the documentation in the file manager. */
  showDocumentation: { input: undefined; output: null }
  readSettings: { input: undefined; output: AppSettings }
  changeSettings: { input: SettingsChange; output: Answer<AppSettings> }
  /** Asks for the folder for automatic backups and stores it in the settings; null if the person cancels. */
  chooseBackupFolder: { input: undefined; output: Answer<AppSettings | null> }
  /** The source of the bucket keys in the environment of this process. */
  bucketKeys: { input: undefined; output: readonly KeyVariable[] }
  tryItState: { input: undefined; output: TryItState }
  /**
   * Starts the service emulator on this computer with its own site. The first start creates and saves sample materials;
   * later starts reuse them.
   */
  startTryIt: { input: undefined; output: Answer<TryItState> }
}

export const settingsInputs: Inputs<SettingsCalls> = {
  readAbout: z.undefined(),
  showDocumentation: z.undefined(),
  readSettings: z.undefined(),
  changeSettings: settingsChange,
  chooseBackupFolder: z.undefined(),
  bucketKeys: z.undefined(),
  tryItState: z.undefined(),
  startTryIt: z.undefined(),
}
