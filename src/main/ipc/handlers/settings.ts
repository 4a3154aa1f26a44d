import type { Handlers } from '../../../contract/ipc.ts'
import type { SettingsCalls } from '../../../contract/ipc/settings.ts'
import { ok } from '../../../contract/result.ts'
import { isSystemError } from '../../disk/system-error.ts'
import type { Galley } from '../../galley.ts'
import type { TryIt } from '../../try-it/try-it.ts'
import type { Desktop } from '../desktop.ts'
import { fileFailed } from './file-failed.ts'

/** Calls about the settings of the app, and about trying it out. */
export function settingsHandlers(
  { settings, bucketKeys }: Galley,
  desktop: Desktop,
  tryIt: TryIt,
): Pick<Handlers, keyof SettingsCalls> {
  return {
    readSettings: settings.read,
    async changeSettings(change) {
      if (change.startAtLogin !== undefined) {
        try {
          await desktop.setStartAtLogin(change.startAtLogin)
        } catch (error) {
          if (isSystemError(error)) return fileFailed(error)
          throw error
        }
      }
      return ok(settings.change(change))
    },
    async chooseBackupFolder() {
      const folder = await desktop.chooseFolder()
      const { backups } = settings.read()
      return ok(folder === null ? null : settings.change({ backups: { ...backups, folder } }))
    },
    async choosePublishFolder() {
      const path = await desktop.chooseFolder()
      return path === null ? null : { path }
    },
    bucketKeys,
    tryItState: tryIt.state,
    startTryIt: tryIt.start,
    stopTryIt: ({ removeSite }) => tryIt.stop(removeSite),
  }
}
