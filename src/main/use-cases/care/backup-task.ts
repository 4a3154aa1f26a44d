import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { backupsBeside } from '../../../contract/ipc/settings.ts'
import type { KeptBackup } from '../../../contract/ipc/health.ts'
import type { Answer } from '../../../contract/ipc/problem.ts'
import type { TaskId } from '../../../contract/ids.ts'
import { ok } from '../../../contract/result.ts'
import { automaticBackupName, thinAutomaticBackups } from './automatic-backups.ts'
import { careful } from './run.ts'
import { diskSpace } from '../../platform/disk/disk-space.ts'
import { makeFolder } from '../../platform/disk/make-folder.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'
import type { Galley } from '../../galley.ts'
import { careAnswer } from './care-answer.ts'
import type { TaskContext } from '../../platform/tasks/tasks.ts'

const dayMs = 86_400_000
/** A start has other things to do first. */
const firstLookMs = 120_000
/** How often it is looked whether a backup is due. */
const lookEveryMs = 3_600_000
/** Room that a whole backup leaves on its disk. */
const spareBytes = 1024 ** 3

type Ports = Pick<Galley, 'care' | 'tasks' | 'index' | 'library' | 'now' | 'settings' | 'folder' | 'isServedElsewhere'>

/** Where automatic backups go: the chosen folder, or one beside the library. */
export const backupFolder = ({ settings, folder }: Pick<Galley, 'settings' | 'folder'>): string =>
  settings.read().backups.folder ?? backupsBeside(resolve(folder))

/** Where automatic backups may be by now. */
export const backupFolders = (galley: Pick<Galley, 'settings' | 'folder'>): readonly string[] => [
  backupFolder(galley),
  backupsBeside(resolve(galley.folder)),
]

/** Backs the library up into a file, as a task. */
export const startBackupTask = (ports: Ports, file: string): TaskId =>
  ports.tasks.start('backup', { target: file }, (context) =>
    backUpInto(file, ports, context, () => Promise.resolve(true)),
  )

/** `prepare` says whether the backup holds files. When it throws a fault of the disk, the backup fails with that. */
async function backUpInto(
  file: string,
  { care }: Ports,
  { signal, progress }: TaskContext,
  prepare: () => Promise<boolean>,
): Promise<Answer<KeptBackup>> {
  const run = { signal, onProgress: progress }
  const done = careAnswer(await careful(run, async () => care.backUp({ file, withFiles: await prepare() }, run)))
  return done.ok ? ok({ ...done.value, file }) : done
}

/**
 * Starts a backup when the settings want one by now; null when none is due, one is under way, or another process serves
 * the library and so makes them.
 */
export function backUpWhenDue(galley: Ports): TaskId | null {
  const { everyDays } = galley.settings.read().backups
  if (everyDays === null || galley.index.counts().versions === 0) return null
  if (galley.library.state !== 'read_only' && galley.isServedElsewhere()) return null
  const isUnderWay = galley.tasks.list().some(({ kind, end }) => kind === 'backup' && end.kind === 'running')
  const last = galley.care.lastBackup()
  const nowMs = galley.now().getTime()
  if (isUnderWay || (last !== null && nowMs - Date.parse(last.at) < everyDays * dayMs)) return null
  const folder = backupFolder(galley)
  const libraryId = galley.index.library()
  const file = join(folder, automaticBackupName(libraryId, galley.now()))
  return galley.tasks.start('backup', { target: file, isAutomatic: true }, async (context) => {
    const done = await backUpInto(file, galley, context, async () => {
      await makeFolder(folder, 0o700)
      await galley.library.writeCheckpoint(context.signal)
      return takesFiles(galley, folder)
    })
    if (done.ok) await thinned(folder, libraryId)
    return done
  })
}

/**
 * On the disk of the library a second copy of its files would help against little and take much room: there a backup
 * holds the log, from which everything but the files themselves can be made again.
 */
async function takesFiles({ folder, index }: Ports, backups: string): Promise<boolean> {
  const [own, other] = await Promise.all([stat(folder), stat(backups)])
  if (own.dev === other.dev) return false
  return (await diskSpace(backups)).freeBytes > index.totals().bytes + spareBytes
}

/** The new backup is complete, so old ones that cannot be deleted now are left for the next run. */
const thinned = (folder: string, libraryId: string): Promise<void> =>
  thinAutomaticBackups(folder, libraryId).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
  })

/** Looks whether a backup is due: soon, every hour and when its settings change, until the returned function is called. */
export function keepBackups(galley: Ports): () => void {
  const look = () => void backUpWhenDue(galley)
  const first = setTimeout(look, firstLookMs).unref()
  const timer = setInterval(look, lookEveryMs).unref()
  let before = JSON.stringify(galley.settings.read().backups)
  const stop = galley.settings.onChange(({ backups }) => {
    const isAnother = JSON.stringify(backups) !== before
    before = JSON.stringify(backups)
    if (isAnother) look()
  })
  return () => {
    clearTimeout(first)
    clearInterval(timer)
    stop()
  }
}
