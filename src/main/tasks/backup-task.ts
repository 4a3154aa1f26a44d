import { join } from 'node:path'

import type { KeptBackup } from '../../contract/ipc/health.ts'
import type { Answer } from '../../contract/ipc/problem.ts'
import type { TaskId } from '../../contract/ids.ts'
import { ok } from '../../contract/result.ts'
import { automaticBackupName, thinAutomaticBackups } from '../care/automatic-backups.ts'
import { isSystemError } from '../disk/system-error.ts'
import type { Galley } from '../galley.ts'
import { careAnswer } from './care-answer.ts'
import type { TaskContext } from './tasks.ts'

const dayMs = 86_400_000
/** How often it is looked whether a backup is due. */
const lookEveryMs = 3_600_000

type Ports = Pick<Galley, 'care' | 'tasks' | 'index' | 'now' | 'settings'>

/** Backs the library up into a file, as a task. */
export const startBackupTask = (ports: Ports, file: string): TaskId =>
  ports.tasks.start('backup', { target: file }, (context) => backUpInto(file, ports, context))

async function backUpInto(
  file: string,
  { care }: Ports,
  { signal, progress }: TaskContext,
): Promise<Answer<KeptBackup>> {
  const done = careAnswer(await care.backUp({ file }, { signal, onProgress: progress }))
  return done.ok ? ok({ ...done.value, file }) : done
}

/** Starts a backup when the settings want one by now; null when none is due, or one is under way. */
export function backUpWhenDue(galley: Ports): TaskId | null {
  const { folder, everyDays } = galley.settings.read().backups
  if (folder === null || everyDays === null) return null
  const isUnderWay = galley.tasks.list().some(({ kind, end }) => kind === 'backup' && end.kind === 'running')
  const last = galley.care.lastBackup()
  const nowMs = galley.now().getTime()
  if (isUnderWay || (last !== null && nowMs - Date.parse(last.at) < everyDays * dayMs)) return null
  const libraryId = galley.index.library()
  const file = join(folder, automaticBackupName(libraryId, galley.now()))
  return galley.tasks.start('backup', { target: file }, async (context) => {
    const done = await backUpInto(file, galley, context)
    if (done.ok) await thinned(folder, libraryId)
    return done
  })
}

/** The new backup stands, whatever becomes of old ones: those that cannot be deleted now go with the next. */
const thinned = (folder: string, libraryId: string): Promise<void> =>
  thinAutomaticBackups(folder, libraryId).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
  })

/** Looks whether a backup is due, now, every hour and when settings change, until the returned function is called. */
export function keepBackups(galley: Ports): () => void {
  backUpWhenDue(galley)
  const timer = setInterval(() => backUpWhenDue(galley), lookEveryMs).unref()
  const stop = galley.settings.onChange(() => backUpWhenDue(galley))
  return () => {
    clearInterval(timer)
    stop()
  }
}
