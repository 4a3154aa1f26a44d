import { setImmediate as nextTurn } from 'node:timers/promises'

import type { CollectReport } from '../../contract/care-reports.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { CarePorts } from './ports.ts'
import { freedFiles } from './freed-files.ts'
import { leftoversIn } from './leftovers.ts'
import type { CareFailure, CareRun } from './run.ts'
import { careful } from './run.ts'

/**
 * Deletes what nothing needs: rows of blobs, files that no row names, what repairs have set aside and what saves that
 * died have left in staging. Runs beside a listener, also of another process; `busy` when files were in use all the time.
 */
export function collect(
  ports: CarePorts,
  { dryRun }: { readonly dryRun: boolean },
  run: CareRun,
): Promise<Result<CollectReport, CareFailure>> {
  const { index, vault } = ports
  return careful(run, async () => {
    const loose: Sha256[] = []
    for (let at: string | null = ''; at !== null;) {
      run.signal.throwIfAborted()
      const stretch = index.looseBlobs.stretch(at)
      if (!dryRun && stretch.loose.length > 0) index.looseBlobs.remove(stretch.loose)
      loose.push(...stretch.loose)
      at = stretch.next
      await nextTurn()
    }
    run.onProgress({ step: 'deleting', done: 0, total: null, unit: 'files' })
    const freed = dryRun ? await freedFiles(ports, loose, run.signal) : { files: 0, bytes: 0 }
    const orphans = await vault.orphans(dryRun ? 'listed' : 'deleted', run.signal)
    run.signal.throwIfAborted()
    if (orphans.left > 0) return fail({ kind: 'busy' })

    const aside = await vault.setAside()
    if (!dryRun) for (const { name } of aside) await vault.removeSetAside(name)
    const staged = await leftoversIn(ports)
    if (!dryRun) for (const { name } of staged) await vault.removeStaging(name)
    const beside = [...aside, ...staged]
    return ok({
      isDryRun: dryRun,
      blobs: loose.length,
      files: freed.files + orphans.files.length + beside.reduce((sum, { files }) => sum + files, 0),
      bytes: freed.bytes + orphans.bytes + beside.reduce((sum, { bytes }) => sum + bytes, 0),
    })
  })
}
