import type { Answer, AppSettings, KeyVariable, Runtime } from '@galley/library/records'
import { appSettings } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { z } from 'zod'

import { asks, nothing } from './call.ts'

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
  /** Whether the licences of what is in the package are installed. */
  readonly hasNotices: boolean
}

export const settingsCalls = {
  readAbout: asks(nothing).gives<About>(),
  /** Shows the documentation in the file manager. */
  showDocumentation: asks(nothing).gives<null>(),
  /** Shows the licences of what is in the package in the file manager. */
  showNotices: asks(nothing).gives<null>(),
  readSettings: asks(nothing).gives<AppSettings>(),
  changeSettings: asks(settingsChange).gives<Answer<AppSettings>>(),
  /** Asks for the folder for automatic backups and stores it in the settings; null if the person cancels. */
  chooseBackupFolder: asks(nothing).gives<Answer<AppSettings | null>>(),
  /** The source of the bucket keys in the environment of this process. */
  bucketKeys: asks(nothing).gives<readonly KeyVariable[]>(),
  tryItState: asks(nothing).gives<TryItState>(),
  /**
   * Starts the service emulator on this computer with its own site. The first start creates and saves sample materials;
   * later starts reuse them.
   */
  startTryIt: asks(nothing).gives<Answer<TryItState>>(),
}
