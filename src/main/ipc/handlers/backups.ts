import { join } from 'node:path'
import type { BackupPorts, Remembered } from '@galley/library'
import { backupFileName, restore, startBackupTask } from '@galley/library'
import { ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { ChosenPaths, Purpose } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownTask } from './unknown.ts'

type BackupCalls = 'startBackup' | 'chooseBackup' | 'chooseRestoreFolder' | 'startRestore' | 'openRestoredLibrary'

/** The dependencies of backups and restores besides the library. */
export interface BackupEdges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  /** Stores the library for the next start of the app. */
  readonly rememberLibrary: (folder: string) => Promise<Remembered>
}

/** Each library has one of these, independent of its sites. */
const restoreFile: Purpose = { what: 'restore-file', site: '' }
const restoreFolder: Purpose = { what: 'restore-folder', site: '' }

/** Calls about backups and restored libraries. */
export function backupHandlers(
  ports: BackupPorts,
  { desktop, chosen, rememberLibrary }: BackupEdges,
): Pick<Handlers, BackupCalls> {
  const { settings, tasks, now } = ports
  let restored: string | null = null

  async function backupPlace(ask: boolean): Promise<string | null> {
    const name = backupFileName(now())
    const { folder } = settings.read().backups
    return folder === null || ask
      ? desktop.chooseNewFile('backupFile', { name, extensions: ['galley-backup'] })
      : join(folder, name)
  }

  return {
    async startBackup({ ask }) {
      const file = await backupPlace(ask)
      return ok(file === null ? null : { task: startBackupTask(ports, file) })
    },
    async chooseBackup() {
      const path = await desktop.chooseFile('restoreFile', { extensions: ['galley-backup', 'zip'] })
      return path === null ? null : chosen.keep(restoreFile, path)
    },
    async chooseRestoreFolder() {
      const path = await desktop.chooseFolder('restoreFolder')
      return path === null ? null : chosen.keep(restoreFolder, path)
    },
    startRestore(request) {
      const [file, folder] = [chosen.find(restoreFile, request.backup), chosen.find(restoreFolder, request.folder)]
      if (file === null || folder === null) return pathNotChosen
      const task = tasks.start('restore', { target: folder }, async ({ signal, progress }) => {
        const done = await restore({ file, folder, now }, { signal, onProgress: progress })
        if (!done.ok) return done
        restored = folder
        return ok({ ...done.value, folder })
      })
      return ok({ task })
    },
    async openRestoredLibrary() {
      if (restored === null) return unknownTask
      await rememberLibrary(restored)
      desktop.relaunch()
      return ok(null)
    },
  }
}
