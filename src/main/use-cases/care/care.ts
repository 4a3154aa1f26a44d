import { resolve } from 'node:path'

import type { BackupReport, CheckReport, EraseReport } from '../../../contract/domain/care-reports.ts'
import type { Health, KeptBackup } from '../../../contract/ipc/health.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { LibraryOwnership } from '../../library/db/owner.ts'
import { isStorageFault, storageReason } from '../../platform/disk/storage-reason.ts'
import { backUp } from './backup.ts'
import type { CarePorts } from './ports.ts'
import { checkLibrary } from './check.ts'
import type { EraseWish } from './erase.ts'
import { erase } from './erase.ts'
import { copiesBefore } from './holders.ts'
import type { CollectWish } from './collect.ts'
import { collect } from './collect.ts'
import type { DeletionWish, PruneWish } from './prune.ts'
import { deleteMaterials, prune } from './prune.ts'
import { backupName, checkName, eraseName, unfinished } from './remembered.ts'
import type { CareFailure, CareRun } from './run.ts'
import { whileWhole, withReserve } from './with-reserve.ts'

interface Ports extends CarePorts {
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

  const stateFor = (onlyLooks: boolean) => (onlyLooks ? 'whole' : ports.library.state)

  const lastBackup = () => recalled(backupName) as KeptBackup | null

  return {
    async check(wish: { readonly repair: boolean }, run: CareRun): Promise<Result<CheckReport, CareFailure>> {
      // A mismatch is one of its findings.
      const onlyLooks = !wish.repair || ports.library.state === 'log_mismatch'
      const done = await whileWhole(stateFor(onlyLooks), () => checkLibrary(ports, wish, run))
      if (done.ok) {
        const { findings, ...figures } = done.value
        const problems = findings.filter(({ fixed }) => !fixed).length
        remember(checkName, { ...figures, at: ports.now().toISOString(), problems } satisfies Health['lastCheck'])
      }
      return done
    },
    lastCheck: () => recalled(checkName) as Health['lastCheck'],
    collect: (wish: CollectWish, run: CareRun) =>
      wish.dryRun ? collect(ports, wish, run) : withReserve(ports, run, (able) => collect(able, wish, run)),
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
      const done = await whileWhole(stateFor(dryRun), () =>
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
    prune: (wish: PruneWish, run: CareRun) =>
      wish.dryRun ? prune(ports, wish, run) : withReserve(ports, run, (able) => prune(able, wish, run)),
    deleteMaterials: (wish: DeletionWish, run: CareRun) =>
      wish.dryRun
        ? deleteMaterials(ports, wish, run)
        : withReserve(ports, run, (able) => deleteMaterials(able, wish, run)),
  }
}

export type Care = ReturnType<typeof createCare>
