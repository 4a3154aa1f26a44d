import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TFunction } from 'i18next'

import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { Health, HealthCalls } from '../../../../contract/ipc/health.ts'
import { fail, ok } from '../../../../contract/result.ts'
import { backupFileName } from '../../../use-cases/care/automatic-backups.ts'
import { describeLibrary } from '../../../use-cases/care/opening.ts'
import { restore } from '../../../use-cases/care/restore.ts'
import type { CareRun } from '../../../use-cases/care/run.ts'
import { forgetSleepGaps } from '../../../use-cases/care/sleep-watch.ts'
import { syncedBy } from '../../../use-cases/care/synced-by.ts'
import { diskSpace } from '../../../platform/disk/disk-space.ts'
import { isThere } from '../../../platform/disk/is-there.ts'
import type { Remembered } from '../../../library/folder.ts'
import { canKeepLibrary } from '../../../library/folder.ts'
import { backupFolder, backupFolders, startBackupTask } from '../../../use-cases/care/backup-task.ts'
import { careAnswer } from '../../../use-cases/care/care-answer.ts'
import type { TaskContext } from '../../../platform/tasks/tasks.ts'
import type { ChosenPaths, Purpose } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownTask } from './unknown.ts'
import type { BackupPorts } from '../../../use-cases/care/backup-task.ts'
import type { Keys } from '../../../library/secrets/keys.ts'
import type { ArchiveRedaction } from '../../../use-cases/care/redact-archives.ts'
import type { SavePauseSwitch } from '../../../use-cases/sites/save-pauses.ts'
import type { Listening } from '../../http/listening.ts'

/** What the app gives beside the library. */
export interface HealthEdges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  readonly runtime: Health['runtime']
  readonly startListener: () => Promise<Health['listener']>
  /** Asks a person whether an address is to be erased. */
  readonly confirmErase: (email: string) => Promise<boolean>
  readonly questions: Questions
  /** Words of the system in the language of the window. */
  readonly words: () => TFunction<'system'>
  /** Remembers which library the app opens next time. */
  readonly rememberLibrary: (folder: string) => Promise<Remembered>
  /** Told when care has changed what lists show. */
  readonly cared: () => void
}

/** A library has one of each, whatever its sites. */
const restoreFile: Purpose = { what: 'restore-file', site: '' }
const restoreFolder: Purpose = { what: 'restore-folder', site: '' }

export interface HealthPorts extends BackupPorts {
  readonly keys: Pick<Keys, 'probe'>
  readonly redaction: Pick<ArchiveRedaction, 'state'>
  readonly pauses: Pick<SavePauseSwitch, 'read'>
  readonly listener: Listening
}

/** Calls about the listener and the care of the library. */
export function healthHandlers(ports: HealthPorts, edges: HealthEdges): Pick<Handlers, keyof HealthCalls> {
  const { index, care, tasks, settings } = ports
  const { desktop, chosen, startListener, cared, questions } = edges
  let restored: string | null = null

  async function readHealth(): Promise<Health> {
    const { bytes: filesBytes, ...totals } = index.totals()
    const indexFile = await stat(join(ports.folder, 'index.db'))
    return {
      runtime: edges.runtime,
      listener: ports.listener.state(),
      pauses: ports.pauses.read().pauses,
      isStorageAtFault: index.failedSaves.isStorageAtFault(),
      sleepGaps: ports.listener.sleepGaps(),
      keychain: await ports.keys.probe(),
      disk: await diskSpace(ports.folder),
      opening: describeLibrary(ports.library),
      redaction: ports.redaction.state(),
      library: {
        folder: ports.folder,
        indexBytes: indexFile.size,
        filesBytes,
        ...totals,
        schema: index.schema(),
        syncedBy: syncedBy(ports.folder),
      },
      lastCheck: care.lastCheck(),
      lastBackup: care.lastBackup(),
      backupEveryDays: settings.read().backups.everyDays,
      backupFolder: backupFolder(ports),
    }
  }

  async function backupPlace(ask: boolean): Promise<string | null> {
    const name = backupFileName(ports.now())
    const { folder } = settings.read().backups
    return folder === null || ask
      ? desktop.chooseNewFile('backupFile', { name, extensions: ['galley-backup'] })
      : join(folder, name)
  }

  function libraryNeedsCare(): 'danger' | 'warning' | null {
    const { state, facts, isRebuildRequested } = describeLibrary(ports.library)
    if ((state !== 'whole' && !isRebuildRequested) || (care.lastCheck()?.problems ?? 0) > 0) return 'danger'
    const isLost = facts.some((fact) => fact.kind !== 'rebuilt' || fact.lostEntries > 0)
    if (index.failedSaves.isStorageAtFault()) return 'danger'
    return isLost || isRebuildRequested ? 'warning' : null
  }

  return {
    readHealth,
    libraryNeedsCare,
    probeKeychain: ports.keys.probe,
    listenerState: ports.listener.state,
    startListener,
    async stopListener() {
      await ports.listener.stop()
      return ports.listener.state()
    },
    async restartListener() {
      await ports.listener.stop()
      return startListener()
    },
    forgetSleepGaps() {
      forgetSleepGaps(index.settings)
      return null
    },
    startLibraryCheck: ({ isRepair }) =>
      ok({
        task: tasks.start('libraryCheck', { isRepair }, async (context) => {
          const done = careAnswer(await care.check({ repair: isRepair }, runOf(context)))
          // Also after a failure: by then something may have been repaired. The same holds for prune and erase.
          if (isRepair) cared()
          return done.ok ? ok({ ...done.value, at: ports.now().toISOString() }) : done
        }),
      }),
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
    startRestore(wish) {
      const [file, folder] = [chosen.find(restoreFile, wish.backup), chosen.find(restoreFolder, wish.folder)]
      if (file === null || folder === null) return pathNotChosen
      const task = tasks.start('restore', { target: folder }, async (context) => {
        const done = careAnswer(await restore({ file, folder, now: ports.now }, runOf(context)))
        if (!done.ok) return done
        restored = folder
        return ok({ ...done.value, folder })
      })
      return ok({ task })
    },
    async openRestoredLibrary() {
      if (restored === null) return unknownTask
      await edges.rememberLibrary(restored)
      desktop.relaunch()
      return ok(null)
    },
    async rebuildIndex({ from }) {
      const owner = ports.listener.owner()
      if (owner !== null && owner.processId !== process.pid) {
        const message = 'Another process receives saves for this library. Nothing was changed. Stop its listener.'
        return fail({ code: 'served_elsewhere', message, facts: { state: 'rebuild' } })
      }
      const t = edges.words()
      const ways = [t(`rebuilding.${from}.way`), t('rebuilding.cancel')] as const
      const told = { message: t(`rebuilding.${from}.title`), detail: t(`rebuilding.${from}.text`), ways }
      if (!(await desktop.ask(told))) return ok(null)
      ports.library.requestRebuild(from)
      desktop.relaunch()
      return ok(null)
    },
    startCollect: ({ isDryRun }) =>
      ok({
        task: tasks.start('collect', { isDryRun }, async (context) =>
          careAnswer(await care.collect({ dryRun: isDryRun, emptyLostAndFound: false }, runOf(context))),
        ),
      }),
    async startPrune({ site, retention, isDryRun }) {
      if (!isDryRun && !(await questions.mayPrune(retention))) return ok(null)
      const task = tasks.start('prune', { site, isDryRun }, async (context) => {
        const done = careAnswer(await care.prune({ site, retention, dryRun: isDryRun }, runOf(context)))
        if (!isDryRun) cared()
        return done
      })
      return ok({ task })
    },
    async startErase({ email, isDryRun }) {
      if (!isDryRun && !(await edges.confirmErase(email))) return ok(null)
      // The address is no fact of the task: lists of tasks show those.
      const task = tasks.start('erase', { isDryRun }, async (context) => {
        const wish = { email, dryRun: isDryRun, backupFolders: backupFolders(ports) }
        const done = careAnswer(await care.erase(wish, runOf(context)))
        if (!isDryRun) cared()
        return done
      })
      return ok({ task })
    },
    libraryFolder: () => ports.folder,
    async openLibraryFolder() {
      const { folder: path } = ports
      if (!(await isThere(path))) {
        const message = 'The library folder is not where it was. Saves cannot be stored until it is back.'
        return fail({ code: 'library_folder_gone', message, facts: { path } })
      }
      desktop.showInFolder(path)
      return ok(null)
    },
    async chooseLibraryFolder() {
      const folder = await desktop.chooseFolder('libraryFolder')
      if (folder === null) return ok(null)
      if (!(await canKeepLibrary(folder))) {
        const message = 'Nothing can be written in the chosen folder. Nothing was changed. Choose another one.'
        return fail({ code: 'folder_unusable', message })
      }
      const names = await readdir(folder)
      // A library whose index is lost is one all the same: opening it makes the index anew from its log.
      if (names.length > 0 && !names.includes('index.db') && !names.includes('library.json')) {
        const message = 'This folder holds other things. Nothing was changed. Choose an empty folder or a library.'
        return fail({ code: 'folder_not_empty', message })
      }
      return ok({ folder, ...(await edges.rememberLibrary(folder)) })
    },
    relaunch() {
      desktop.relaunch()
      return null
    },
  }
}

const runOf = ({ signal, progress }: TaskContext): CareRun => ({ signal, onProgress: progress })
