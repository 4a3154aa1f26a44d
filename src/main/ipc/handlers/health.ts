import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Keys, SavePauseSwitch } from '@galley/library'
import {
  backupFolder,
  describeLibrary,
  forgetSkippedEntries,
  forgetSleepGaps,
  skippedEntries,
  syncedBy,
} from '@galley/library'
import type { Health } from '@galley/library/records'
import { diskSpace } from '@galley/platform'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { healthCalls } from '../../../ipc/health.ts'
import type { BackupEdges } from './backups.ts'
import { backupHandlers } from './backups.ts'
import type { LibraryCareEdges, LibraryCarePorts } from './library-care.ts'
import { libraryCareHandlers } from './library-care.ts'
import { libraryFolderHandlers } from './library-folder.ts'
import type { OpenProblemPorts } from './open-problems.ts'
import { openProblems, sitesWithProblems } from './open-problems.ts'

/** The dependencies from the app, besides the library. */
export interface HealthEdges extends BackupEdges, LibraryCareEdges {
  readonly runtime: Health['runtime']
  readonly startListener: () => Promise<Health['listener']>
}

export interface HealthPorts extends LibraryCarePorts, OpenProblemPorts {
  readonly keys: Pick<Keys, 'probe'>
  readonly pauses: Pick<SavePauseSwitch, 'read'>
}

/** Calls about the listener and library care. */
export function healthHandlers(ports: HealthPorts, edges: HealthEdges): HandlersOf<typeof healthCalls> {
  const { listener } = ports
  const { startListener } = edges
  return {
    readHealth: () => readHealth(ports, edges.runtime),
    openProblems: () => openProblems(ports),
    probeKeychain: ports.keys.probe,
    listenerState: listener.state,
    startListener,
    async stopListener() {
      await listener.stop()
      return listener.state()
    },
    async restartListener() {
      await listener.stop()
      return startListener()
    },
    forgetSleepGaps() {
      forgetSleepGaps(ports.index.settings)
      edges.careEnded()
      return null
    },
    forgetSkippedEntries() {
      forgetSkippedEntries(ports.index)
      return null
    },
    ...libraryCareHandlers(ports, edges),
    ...backupHandlers(ports, edges),
    ...libraryFolderHandlers(ports.folder, edges),
  }
}

async function readHealth(ports: HealthPorts, runtime: Health['runtime']): Promise<Health> {
  const { folder, index, library, listener, care, settings } = ports
  const { bytes: filesBytes, ...totals } = index.totals()
  const indexFile = await stat(join(folder, 'index.db'))
  await listener.checkStorage()
  return {
    runtime,
    listener: listener.state(),
    pauses: ports.pauses.read().pauses,
    sitesWithProblems: sitesWithProblems(ports, await ports.sites.list()),
    sleepGaps: listener.sleepGaps(),
    keychain: await ports.keys.probe(),
    disk: await diskSpace(folder),
    opening: describeLibrary(library),
    skippedEntries: skippedEntries(index),
    team: ports.teamState.view(),
    library: {
      folder,
      indexBytes: indexFile.size,
      filesBytes,
      ...totals,
      schema: index.schema(),
      syncedBy: syncedBy(folder),
    },
    lastCheck: care.lastCheck(),
    lastBackup: care.lastBackup(),
    backupEveryDays: settings.read().backups.everyDays,
    backupFolder: backupFolder(ports),
  }
}
