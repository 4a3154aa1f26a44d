import { isInLibrary } from '@galley/library'
import type { AppSettingsStore } from '@galley/library'
import type { KeyVariable, Runtime } from '@galley/library/records'
import { isSystemError, isThere } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import { license as licence } from '../../../../package.json'
import type { HandlersOf } from '../../../ipc/call.ts'
import type { settingsCalls } from '../../../ipc/settings.ts'
import type { TryIt } from '../../try-it/try-it.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { fileFailed } from './file-failed.ts'
import { notConfirmed } from './not-chosen.ts'

/** Information about the app. */
export interface AboutEdges {
  readonly runtime: Runtime
  /** The documentation folder, which may be missing. */
  readonly documentation: string
  /** The licences of what is in the package, which only a package has. */
  readonly notices: string
}

export interface SettingsPorts {
  readonly settings: AppSettingsStore
  readonly bucketKeys: () => readonly KeyVariable[]
  readonly version: string
  readonly folder: string
}

/** Calls about the settings of the app, and about the built-in emulator. */
export function settingsHandlers(
  { settings, bucketKeys, version, folder: library }: SettingsPorts,
  desktop: Desktop,
  questions: Questions,
  tryIt: TryIt,
  { runtime, documentation, notices }: AboutEdges,
): HandlersOf<typeof settingsCalls> {
  return {
    readAbout: async () => ({
      version,
      licence,
      runtime,
      library,
      hasDocumentation: await isThere(documentation),
      hasNotices: await isThere(notices),
    }),
    showDocumentation() {
      desktop.showInFolder(documentation)
      return null
    },
    showNotices() {
      desktop.showInFolder(notices)
      return null
    },
    readSettings: settings.read,
    async changeSettings({ backups, ...change }) {
      const { host } = settings.read().listener
      const wanted = change.listener?.host ?? host
      if (wanted !== host && !(await questions.mayListenAt(host, wanted))) return notConfirmed
      if (change.startAtLogin !== undefined) {
        try {
          await desktop.setStartAtLogin(change.startAtLogin)
        } catch (error) {
          if (isSystemError(error)) return fileFailed(error)
          throw error
        }
      }
      // Only a dialog of main can set a folder. A window may keep or clear it.
      const folder = backups?.folder === null ? null : settings.read().backups.folder
      return ok(settings.change({ ...change, ...(backups && { backups: { ...backups, folder } }) }))
    },
    async chooseBackupFolder() {
      const folder = await desktop.chooseFolder('backupFolder')
      if (folder === null) return ok(null)
      if (await isInLibrary(folder)) return fail({ code: 'not_ours', state: 'in_library' })
      return ok(settings.change({ backups: { ...settings.read().backups, folder } }))
    },
    bucketKeys,
    tryItState: tryIt.state,
    startTryIt: tryIt.start,
  }
}
