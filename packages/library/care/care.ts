import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isThere } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { LibraryOwnership } from '../db/owner.ts'
import type { BackupReport, CheckReport, EraseReport } from '../records/care-reports.ts'
import { isLeft } from '../records/care-reports.ts'
import { automaticBackupMadeMs } from './automatic-backups.ts'
import { backUp } from './backup.ts'
import type { CheckOptions } from './check.ts'
import { checkLibrary } from './check.ts'
import type { CollectOptions } from './collect.ts'
import { collect } from './collect.ts'
import type { EraseOptions } from './erase.ts'
import { erase } from './erase.ts'
import type { CarePorts } from './ports.ts'
import type { DeletionOptions, PruneOptions } from './prune.ts'
import { deleteMaterials, prune } from './prune.ts'
import type { MadeBackup } from './remembered.ts'
import { recalled, remember, unfinished } from './remembered.ts'
import type { CareFailure, CareRun } from './run.ts'
import { strayArchives } from './stray-archives.ts'
import { withReserve } from './with-reserve.ts'

interface Ports extends CarePorts {
  readonly ownership: LibraryOwnership
  readonly log: (line: string) => void
}

interface CopyFolders {
  readonly folder: string
  /** The folders that may contain automatic backups. */
  readonly backupFolders: readonly string[]
  readonly libraryId: string
  /** Backups that Galley has made anywhere. */
  readonly made: readonly MadeBackup[]
}

/**
 * Copies of the library from before a point in time, which Galley does not change: known backups, and databases that
 * were set aside in the library folder. Sorted paths.
 */
async function copiesBefore(ms: number, places: CopyFolders): Promise<readonly string[]> {
  const { folder, backupFolders, libraryId, made } = places
  const found = new Set<string>()
  for (const backups of backupFolders)
    for (const name of await namesIn(backups)) {
      const madeMs = automaticBackupMadeMs(name, libraryId)
      if (madeMs !== null && madeMs <= ms) found.add(resolve(backups, name))
    }
  for (const { at, file } of made) if (Date.parse(at) <= ms && (await isThere(file))) found.add(resolve(file))
  for (const name of await namesIn(folder)) if (name.includes('.set-aside-')) found.add(resolve(folder, name))
  const aside = join(folder, 'lost-and-found')
  for (const name of await namesIn(aside)) found.add(resolve(aside, name))
  return [...found].toSorted()
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

/**
 * The care operations of a library. Each can be stopped at any time and runs concurrently with a listener. The last check
 * and the last backup are stored in the library, whether the app, a command or the schedule ran them.
 */
export function createCare(ports: Ports) {
  const { log } = ports

  /**
   * Operations that delete or repair use the disk reserve. Read-only ones do not need it, and also work on a damaged
   * library.
   */
  const withAbleLibrary = <Value>(
    onlyLooks: boolean,
    run: CareRun,
    work: (able: CarePorts) => Promise<Result<Value, CareFailure>>,
  ): Promise<Result<Value, CareFailure>> => noting(ports, onlyLooks ? work(ports) : withReserve(ports, run, work))

  /** The same for operations that also change a team's bucket. */
  const withBucket = async <Value>(
    onlyLooks: boolean,
    run: CareRun,
    work: (able: CarePorts) => Promise<Result<Value, CareFailure>>,
  ): Promise<Result<Value, CareFailure>> =>
    !onlyLooks && (await ports.bucket?.isReadOnly()) === true
      ? fail({ code: 'team_read_only' })
      : withAbleLibrary(onlyLooks, run, work)

  async function eraseFrom(
    able: CarePorts,
    { backupFolders, ...options }: EraseOptions & { readonly backupFolders: readonly string[] },
    run: CareRun,
  ): Promise<Result<EraseReport, CareFailure>> {
    const { dryRun } = options
    const earlier = recalled(able, 'last-erase')
    const done = await whileOwned(ports, dryRun, () => {
      // Stored first: a run that completes an interrupted one may find no more rows, but must still list the copies.
      if (!dryRun) remember({ ...able, log }, 'last-erase', unfinished)
      return erase(able, options, run)
    })
    if (!done.ok) return done
    const at = able.now().toISOString()
    // In a team, the log may have brought the erase of another computer, which could not see the copies of this one.
    const isFound = done.value.rows + done.value.archives > 0 || earlier === unfinished || able.bucket !== null
    // Copies from before the last erase may contain the person, even if the erase is repeated.
    const before = isFound ? at : earlier
    if (!dryRun) remember({ ...able, log }, 'last-erase', before)
    const places = { folder: able.folder, backupFolders, libraryId: able.index.library(), made: madeBackups(able) }
    const copies = before === null ? [] : await copiesBefore(Date.parse(before), places)
    const stray = 'email' in options ? await strayArchives(able, options.email, run.signal) : []
    return ok({ ...done.value, backups: [...new Set([...copies, ...stray])].toSorted() })
  }

  return {
    check(options: CheckOptions, run: CareRun): Promise<Result<CheckReport, CareFailure>> {
      // A mismatch of the log is one of its findings.
      const onlyLooks = !options.repair || ports.library.state === 'log_mismatch'
      return withAbleLibrary(onlyLooks, run, async (able) => {
        const done = await checkLibrary(able, options, run)
        if (done.ok) {
          const { findings, interrupted: _, ...figures } = done.value
          const problems = findings.filter(isLeft).length
          remember({ ...able, log }, 'last-check', {
            ...figures,
            at: able.now().toISOString(),
            problems,
          })
        }
        return done
      })
    },
    lastCheck: () => recalled(ports, 'last-check'),
    collect: (options: CollectOptions, run: CareRun) =>
      withBucket(options.dryRun, run, (able) => collect(able, options, run)),
    async backUp(
      { file, withFiles = true }: { readonly file: string; readonly withFiles?: boolean },
      run: CareRun,
    ): Promise<Result<BackupReport, CareFailure>> {
      const done = await noting(ports, backUp(ports, { file, withFiles }, run))
      if (!done.ok) return done
      const kept = { ...done.value, file: resolve(file) }
      const earlier = madeBackups(ports).filter((each) => each.file !== kept.file)
      remember(ports, 'backups', [...earlier, { at: kept.at, file: kept.file }].slice(-backupsRemembered))
      remember(ports, 'last-backup', kept)
      return done
    },
    lastBackup: () => recalled(ports, 'last-backup'),
    /** `backupFolders`: the folders that may contain automatic backups. */
    erase: (
      options: EraseOptions & { readonly backupFolders: readonly string[] },
      run: CareRun,
    ): Promise<Result<EraseReport, CareFailure>> =>
      withBucket(options.dryRun, run, (able) => eraseFrom(able, options, run)),
    prune: (options: PruneOptions, run: CareRun) =>
      withBucket(options.dryRun, run, (able) => prune(able, options, run)),
    deleteMaterials: (options: DeletionOptions, run: CareRun) =>
      withBucket(options.dryRun, run, (able) => deleteMaterials(able, options, run)),
  }
}

/** Notes damage of the index, which threads and copies meet on connections of their own. */
async function noting<Value>(
  { library }: Pick<Ports, 'library'>,
  work: Promise<Result<Value, CareFailure>>,
): Promise<Result<Value, CareFailure>> {
  const done = await work
  if (!done.ok && done.failure.code === 'file_failed' && done.failure.reason.code === 'index_damaged')
    library.damage.note()
  return done
}

/** How many backups Galley remembers: of some years, if there is one a day. */
const backupsRemembered = 1000

/** The backups that were made, oldest first. */
const madeBackups = (ports: Pick<Ports, 'index'>): readonly MadeBackup[] => recalled(ports, 'backups') ?? []

/** Rewriting the index while another process stores saves would make that process report it as damaged. */
async function whileOwned<Value>(
  { ownership }: Pick<Ports, 'ownership'>,
  onlyLooks: boolean,
  work: () => Promise<Result<Value, CareFailure>>,
): Promise<Result<Value, CareFailure>> {
  if (onlyLooks) return work()
  const held = ownership.hold()
  if (held === null) return fail({ code: 'served_elsewhere' })
  try {
    return await work()
  } finally {
    held.release()
  }
}

export type Care = ReturnType<typeof createCare>
