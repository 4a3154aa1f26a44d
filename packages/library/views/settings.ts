import { z } from 'zod'

import { retention } from './health.ts'

/** The settings of the app for this library. Values that this version does not support fall back to their defaults. */
export const appSettings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'ru']),
  /** The row height. */
  density: z.enum(['compact', 'default', 'roomy']),
  /**
   * `port` null: the port of the first callback URL on this computer, otherwise 8787. Applied when the listener starts next.
   */
  listener: z.strictObject({
    host: z.string().regex(/^[0-9A-Za-z.:_-]{1,253}$/),
    port: z.int().min(1).max(65_535).nullable(),
  }),
  startAtLogin: z.boolean(),
  /** Closing the window keeps Galley in the tray, with the listener running. */
  keepInTray: z.boolean(),
  notifications: z.strictObject({ failures: z.boolean(), saves: z.boolean(), tasks: z.boolean() }),
  /** Asks once a day whether there is a newer version. */
  checksForUpdates: z.boolean(),
  /** Opening the editor first shows a form with the metadata and everything else that is sent. */
  showsWhatIsSent: z.boolean(),
  /** The window also shows IDs, hashes, headers, and the sources of versions. */
  isForDevelopers: z.boolean(),
  /** Shortcuts that differ from their defaults, by action. */
  shortcuts: z.record(z.string().max(100), z.string().max(100)),
  retention,
  backups: z.strictObject({
    /** Only from `chooseBackupFolder`; null: the folder next to the library. */
    folder: z.string().max(4096).nullable(),
    /** null: no automatic backups. */
    everyDays: z.int().min(1).max(365).nullable(),
  }),
  /** Dialogs that a person asked not to show again, by name. */
  dismissed: z.array(z.string().max(100)).max(200),
  /** True after the setup was finished or skipped. */
  welcomed: z.boolean(),
  /** The name that decisions of this computer carry; empty: the name of the account. */
  personName: z.string().max(200),
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
  checksForUpdates: true,
  showsWhatIsSent: false,
  isForDevelopers: false,
  shortcuts: {},
  retention: { keepVersions: null, keepDays: null },
  backups: { folder: null, everyDays: 1 },
  dismissed: [],
  welcomed: false,
  personName: '',
}

/** The default folder for automatic backups. */
export const backupsBeside = (library: string): string => `${library}-backups`

/** An environment variable with a bucket key; its value stays in main. */
export interface KeyVariable {
  readonly name: string
  readonly isSet: boolean
}
