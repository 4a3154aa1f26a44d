import { resolve } from 'node:path'

import type { BackupReport, CheckReport, EraseReport } from '../../contract/care-reports.ts'
import type { Health, KeptBackup } from '../../contract/ipc/health.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { LibraryOwnership } from '../db/owner.ts'
import { isStorageFault, storageReason } from '../disk/storage-reason.ts'
import { backUp } from './backup.ts'
import type { CarePorts } from './ports.ts'
import { checkLibrary } from './check.ts'
import type { EraseWish } from './erase.ts'
import { erase } from './erase.ts'
import { copiesBefore } from './holders.ts'
import type { CollectWish } from './collect.ts'
import { collect } from './collect.ts'
import type { PruneWish } from './prune.ts'
import { prune } from './prune.ts'
import { backupName, checkName, eraseName, unfinished } from './remembered.ts'
import type { CareFailure, CareRun } from './run.ts'

interface Ports extends CarePorts {
  readonly folder: string
  readonly ownership: LibraryOwnership
  readonly log: (line: string) => void
}

/**
 * Everything that keeps a library well. Each piece can be stopped at any time, and runs beside a listener. The last check
 * and the last backup are remembered in the library, whether the app, a command or the schedule made them.
 */
export function createCare(ports: Ports) {
  const { settings } = ports.index

  /** A check or a backup is complete even when the library cannot remember it. */
  function remember(name: string, value: unknown): void {
    try {
      settings.put(name, JSON.stringify(value))
    } catch (error) {
      if (!isStorageFault(error)) throw error
      ports.log(`${name} could not be remembered: ${storageReason(error)}`)
    }
  }
  const recalled = (name: string): unknown => {
    const text = settings.get(name)
    return text === null ? null : JSON.parse(text)
  }

  /** Writing the index anew under another process that stores saves would make it take its index for damaged. */
  async function whileOwned<Value>(
    onlyLooks: boolean,
    work: () => Promise<Result<Value, CareFailure>>,
  ): Promise<Result<Value, CareFailure>> {
    if (onlyLooks) return work()
    const ownership = ports.ownership.hold()
    if (ownership === null) return fail({ kind: 'served_elsewhere' })
    try {
      return await work()
    } finally {
      ownership.release()
    }
  }

  /** A library that takes no saves is only looked at: nothing is deleted by an index that may be wrong. */
  async function whileWhole<Value>(
    onlyLooks: boolean,
    work: () => Promise<Result<Value, CareFailure>>,
  ): Promise<Result<Value, CareFailure>> {
    const state = onlyLooks ? 'whole' : ports.library.state
    return state === 'whole' ? work() : fail({ kind: state === 'read_only' ? 'library_read_only' : state })
  }

  const lastBackup = () => recalled(backupName) as KeptBackup | null

  return {
    async check(wish: { readonly repair: boolean }, run: CareRun): Promise<Result<CheckReport, CareFailure>> {
      // A mismatch is one of its findings.
      const onlyLooks = !wish.repair || ports.library.state === 'log_mismatch'
      const done = await whileWhole(onlyLooks, () => checkLibrary(ports, wish, run))
      if (done.ok) {
        const { findings, ...figures } = done.value
        const problems = findings.filter(({ fixed }) => !fixed).length
        remember(checkName, { ...figures, at: ports.now().toISOString(), problems } satisfies Health['lastCheck'])
      }
      return done
    },
    lastCheck: () => recalled(checkName) as Health['lastCheck'],
    collect: (wish: CollectWish, run: CareRun) => whileWhole(wish.dryRun, () => collect(ports, wish, run)),
    async backUp(
      { file, withFiles = true }: { readonly file: string; readonly withFiles?: boolean },
      run: CareRun,
    ): Promise<Result<BackupReport, CareFailure>> {
      const done = await backUp(ports, { file, withFiles }, run)
      if (done.ok) remember(backupName, { ...done.value, file: resolve(file) } satisfies KeptBackup)
      return done
    },
    lastBackup,
    /** `backupFolders`: where automatic backups of the library may be. */
    async erase(
      { backupFolders, ...wish }: EraseWish & { readonly backupFolders: readonly string[] },
      run: CareRun,
    ): Promise<Result<EraseReport, CareFailure>> {
      const { dryRun } = wish
      const earlier = recalled(eraseName) as string | null
      const done = await whileWhole(dryRun, () =>
        whileOwned(dryRun, () => {
          // Written first: the run that finishes an interrupted one may find no more rows, and still has to list the copies.
          if (!dryRun) remember(eraseName, unfinished)
          return erase(ports, wish, run)
        }),
      )
      if (!done.ok) return done
      const at = ports.now().toISOString()
      const isFound = done.value.rows + done.value.archives > 0 || earlier === unfinished
      // What was made before the last erase may hold the person, also when it is run again.
      const before = isFound ? at : earlier
      if (!dryRun) remember(eraseName, before)
      const places = { folder: ports.folder, backupFolders, libraryId: ports.index.library(), lastBackup: lastBackup() }
      const backups = before === null ? [] : await copiesBefore(Date.parse(before), places)
      return ok({ ...done.value, backups })
    },
    prune: (wish: PruneWish, run: CareRun) => whileWhole(wish.dryRun, () => prune(ports, wish, run)),
  }
}
