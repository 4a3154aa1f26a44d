import { z } from 'zod'

import type { SiteId } from '../ids.ts'
import { retention } from './health.ts'
import type { Runtime } from '../domain/runtime.ts'
import type { Answer, Inputs } from './problem.ts'

/** Settings of the app on this library. A value that a later Galley does not know falls back to its default. */
export const appSettings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'ru']),
  /** How tall rows are. */
  density: z.enum(['compact', 'default', 'roomy']),
  /** `port` null: that of the first callback URL on this machine, else 8787. Counts at the next start of the listener. */
  listener: z.strictObject({
    host: z.string().regex(/^[0-9A-Za-z.:_-]{1,253}$/),
    port: z.int().min(1).max(65_535).nullable(),
  }),
  startAtLogin: z.boolean(),
  /** Closing the window leaves Galley in the tray, listening. */
  keepInTray: z.boolean(),
  notifications: z.strictObject({ failures: z.boolean(), saves: z.boolean(), tasks: z.boolean() }),
  /** Opening the editor stops at a form with the metadata and everything else that is sent. */
  showsWhatIsSent: z.boolean(),
  /** Keys that differ from their defaults, by action. */
  shortcuts: z.record(z.string().max(100), z.string().max(100)),
  retention,
  backups: z.strictObject({
    /** From `chooseBackupFolder` alone; null: the folder beside the library. */
    folder: z.string().max(4096).nullable(),
    /** Null: no automatic backups. */
    everyDays: z.int().min(1).max(365).nullable(),
  }),
  /** Dialogs that were told not to come again, by name. */
  dismissed: z.array(z.string().max(100)).max(200),
  /** True when the first run was finished or skipped. */
  welcomed: z.boolean(),
})
export type AppSettings = z.infer<typeof appSettings>

export const defaultSettings: AppSettings = {
  theme: 'system',
  language: 'system',
  density: 'default',
  listener: { host: '127.0.0.1', port: null },
  startAtLogin: false,
  keepInTray: true,
  notifications: { failures: true, saves: true, tasks: true },
  showsWhatIsSent: false,
  shortcuts: {},
  retention: { keepVersions: null, keepDays: null },
  backups: { folder: null, everyDays: 1 },
  dismissed: [],
  welcomed: false,
}

/** Where automatic backups go unless somebody chose another folder. */
export const backupsBeside = (library: string): string => `${library}-backups`

/** What a window may change. The folder of backups can only be given up, and a listening host is confirmed by a person. */
export const settingsChange = appSettings
  .extend({ backups: appSettings.shape.backups.extend({ folder: z.null().optional() }) })
  .partial()
export type SettingsChange = z.infer<typeof settingsChange>

/** The built-in emulator with sample materials. */
export type TryItState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly site: SiteId; readonly url: string }

/** A variable that the keys of a bucket are read from; its value stays where it is. */
export interface KeyVariable {
  readonly name: string
  readonly isSet: boolean
}

/** Which Galley this is, and what it runs on. */
export interface About {
  readonly version: string
  readonly licence: string
  readonly runtime: Runtime
  /** Its folder. */
  readonly library: string
  /** Whether the files of the documentation came along. */
  readonly hasDocumentation: boolean
}

export interface SettingsCalls {
  readAbout: { input: undefined; output: About }
  /** Shows the documentation in the system's file browser. */
  showDocumentation: { input: undefined; output: null }
  readSettings: { input: undefined; output: AppSettings }
  changeSettings: { input: SettingsChange; output: Answer<AppSettings> }
  /** Asks for the folder of automatic backups and puts it into the settings; null: nothing chosen. */
  chooseBackupFolder: { input: undefined; output: Answer<AppSettings | null> }
  /** Where the keys of buckets come from, as the environment of this process has it. */
  bucketKeys: { input: undefined; output: readonly KeyVariable[] }
  tryItState: { input: undefined; output: TryItState }
  /**
   * Starts the service side on this machine with a site of its own. The first time it opens sample materials and saves them;
   * later it goes on with what is there.
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
