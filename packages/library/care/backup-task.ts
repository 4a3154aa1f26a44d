import { realpathSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { diskSpace, isSystemError, makeFolder } from '@galley/platform'
import type { TaskId } from '@galley/wire'
import { ok } from '@galley/wire'
import { z } from 'zod'

import type { Index } from '../db/library-index.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import type { AppSettingsStore } from '../settings/app-settings.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { TaskContext } from '../tasks/tasks.ts'
import type { KeptBackup } from '../views/health.ts'
import type { Answer } from '../views/problem.ts'
import { backupsBeside } from '../views/settings.ts'
import { automaticBackupName, thinAutomaticBackups } from './automatic-backups.ts'
import type { Care } from './care.ts'
import { asCareResult } from './run.ts'

const dayMs = 86_400_000
/** The delay after a start, which has other work to do first. */
const firstCheckMs = 120_000
/** The interval for checking whether a backup is due. */
const checkIntervalMs = 3_600_000
/** Free space that a whole backup leaves on its disk. */
const spareBytes = 1024 ** 3

/** The parts of a library that backups need. */
export interface BackupPorts {
  readonly folder: string
  readonly index: Index
  readonly library: OpenedLibrary
  readonly settings: AppSettingsStore
  readonly tasks: Tasks
  readonly care: Care
  /** Whether another process runs the listener of this library, and so makes the backups. */
  readonly listener: { isServedElsewhere(): boolean }
  readonly now: () => Date
}

/** The folder for automatic backups: the chosen one, or one next to the library. */
export const backupFolder = ({ settings, folder }: Pick<BackupPorts, 'settings' | 'folder'>): string =>
  settings.read().backups.folder ?? backupsBeside(resolve(folder))

/** All folders that may contain automatic backups. */
export const backupFolders = (ports: Pick<BackupPorts, 'settings' | 'folder'>): readonly string[] => [
  backupFolder(ports),
  backupsBeside(resolve(ports.folder)),
]

/** Backs up the library to a file, as a task. */
export const startBackupTask = (ports: BackupPorts, file: string): TaskId =>
  ports.tasks.start('backup', { target: file }, (context) =>
    writeBackup(file, ports, context, () => Promise.resolve(true)),
  )

/** `prepare` returns whether to include the files. If it throws a disk fault, the backup fails with it. */
async function writeBackup(
  file: string,
  { care }: BackupPorts,
  { signal, progress }: TaskContext,
  prepare: () => Promise<boolean>,
): Promise<Answer<KeptBackup>> {
  const run = { signal, onProgress: progress }
  const done = await asCareResult(run, async () => care.backUp({ file, withFiles: await prepare() }, run))
  return done.ok ? ok({ ...done.value, file }) : done
}

/** The name of the setting with the automatic backups of this folder. */
const name = 'backups-made-here'

/** More than are ever kept. */
const namesMax = 100

const storedSchema = z.object({
  path: z.string(),
  host: z.string(),
  inode: z.string(),
  created: z.string(),
  names: z.array(z.string()),
})
type Stored = z.infer<typeof storedSchema>
type FolderIdentity = Omit<Stored, 'names'>

function identityOf(folder: string): FolderIdentity {
  const { ino, birthtimeNs } = statSync(folder, { bigint: true })
  return { path: realpathSync(folder), host: hostname(), inode: String(ino), created: String(birthtimeNs) }
}

/**
 * Whether two records are of one folder, not of a copy. A folder may be moved, a container may get another host name, and some
 * disks number their files anew each time.
 */
const isSameFolder = (one: FolderIdentity, other: FolderIdentity): boolean =>
  one.path === other.path
    ? one.inode === other.inode || one.host === other.host
    : one.inode === other.inode && one.created === other.created

/** The file names of the automatic backups of a library folder. A copy of the folder has made none of them. */
function backupsMadeHere(settings: Index['settings'], folder: string) {
  const identity = identityOf(folder)
  function list(): readonly string[] {
    const stored = storedSchema.safeParse(JSON.parse(settings.get(name) ?? 'null'))
    return stored.success && isSameFolder(stored.data, identity) ? stored.data.names : []
  }
  return {
    list,
    add: (backup: string): void =>
      settings.put(name, JSON.stringify({ ...identity, names: [...list(), backup].slice(-namesMax) } satisfies Stored)),
  }
}

/** Starts a backup if one is due by the settings; null if none is due, one is running, or another process makes them. */
export function backUpWhenDue(ports: BackupPorts): TaskId | null {
  const { everyDays } = ports.settings.read().backups
  if (everyDays === null || ports.index.counts().versions === 0) return null
  if (ports.library.state !== 'read_only' && ports.listener.isServedElsewhere()) return null
  const isRunning = ports.tasks.list().some(({ kind, end }) => kind === 'backup' && end.kind === 'running')
  const last = ports.care.lastBackup()
  const ageMs = last === null ? Infinity : ports.now().getTime() - Date.parse(last.at)
  // A backup of the future was made while the clock was ahead.
  if (isRunning || (ageMs >= 0 && ageMs < everyDays * dayMs)) return null
  const folder = backupFolder(ports)
  const libraryId = ports.index.library()
  const name = automaticBackupName(libraryId, ports.now())
  const file = join(folder, name)
  return ports.tasks.start('backup', { target: file, isAutomatic: true }, async (context) => {
    const done = await writeBackup(file, ports, context, async () => {
      await makeFolder(folder, 0o700)
      await ports.library.writeCheckpoint(context.signal)
      return takesFiles(ports, folder)
    })
    if (done.ok) {
      const made = backupsMadeHere(ports.index.settings, ports.folder)
      made.add(name)
      await thinned(folder, { libraryId, madeHere: made.list(), nowMs: ports.now().getTime() })
    }
    return done
  })
}

/**
 * On the library's own disk, a second copy of its files protects against little and needs much space. Such a backup contains
 * only the log, from which everything except the files can be rebuilt.
 */
async function takesFiles({ folder, index }: BackupPorts, backups: string): Promise<boolean> {
  // The team's bucket already has the files.
  if (index.followTeam !== null) return false
  const [own, other] = await Promise.all([stat(folder), stat(backups)])
  if (own.dev === other.dev) return false
  return (await diskSpace(backups)).freeBytes > index.totals().bytes + spareBytes
}

/** The new backup is complete, so old ones that cannot be deleted now are left for the next run. */
const thinned = (...what: Parameters<typeof thinAutomaticBackups>): Promise<void> =>
  thinAutomaticBackups(...what).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
  })

/**
 * Checks whether a backup is due: after the start, every hour and when its settings change, until the returned function is
 * called.
 */
export function keepBackups(ports: BackupPorts): () => void {
  const check = () => void backUpWhenDue(ports)
  const first = setTimeout(check, firstCheckMs).unref()
  const timer = setInterval(check, checkIntervalMs).unref()
  let before = JSON.stringify(ports.settings.read().backups)
  const stop = ports.settings.onChange(({ backups }) => {
    const isAnother = JSON.stringify(backups) !== before
    before = JSON.stringify(backups)
    if (isAnother) check()
  })
  return () => {
    clearTimeout(first)
    clearInterval(timer)
    stop()
  }
}
