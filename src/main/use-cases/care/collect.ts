import { setImmediate as nextTurn } from 'node:timers/promises'

import type { CollectReport } from '../../../contract/domain/care-reports.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { CarePorts } from './ports.ts'
import { collectObjects, countObjects } from './collect-objects.ts'
import { foldOld } from './fold-bucket.ts'
import { freedNames, sumOf } from './freed-files.ts'
import { leftoversIn } from './leftovers.ts'
import { logFaults } from './log-faults.ts'
import type { CareFailure, CareRun } from './run.ts'
import { readReferences } from './read-pages.ts'
import { asCareResult } from './run.ts'

const dayMs = 86_400_000

export interface CollectWish {
  readonly dryRun: boolean
  /** Also deletes the files that earlier runs moved to `lost-and-found`. */
  readonly emptyLostAndFound: boolean
}

/**
 * Deletes what the library no longer needs: unused blobs, files of pruned versions, and the remains of interrupted
 * saves in staging. Files that were never in the index are moved to `lost-and-found` instead, after 24 hours and only
 * in an intact library. Can run beside a listener, also of another process; fails with `busy` if files were in use all
 * the time. A member of a team also removes the objects of files that nothing names from the bucket.
 */
export function collect(
  ports: CarePorts,
  { dryRun, emptyLostAndFound }: CollectWish,
  run: CareRun,
): Promise<Result<CollectReport, CareFailure>> {
  const { vault } = ports
  return asCareResult(run, async () => {
    const unreadable = await unreadableVersions(ports, run)
    if (unreadable > 0) return fail({ kind: 'pages_unreadable', versions: unreadable })
    const loose = await looseBlobs(ports, dryRun, run.signal)
    run.onProgress({ step: 'deleting', done: 0, total: null, unit: 'files' })
    const names = dryRun ? await freedNames(ports, loose, run.signal) : new Set<Sha256>()
    const freed = dryRun
      ? { ...(await sumOf(ports, names, run.signal)), left: 0 }
      : await deleteDropped(ports, run.signal)
    run.signal.throwIfAborted()

    // Listed before this run moves files there: only files of earlier runs are deleted.
    const kept = emptyLostAndFound ? await vault.lostAndFound() : []
    const isWhole = ports.library.state === 'whole' && (await logFaults(ports.library.log, run.signal)).length === 0
    const unnamed = isWhole ? await vault.unnamed(ports.now().getTime() - dayMs, run.signal) : nothing
    const moved = dryRun ? unnamed : await vault.setAside(unnamed.files, run.signal)
    run.signal.throwIfAborted()
    const left = dryRun ? 0 : freed.left + moved.left
    if (left > 0) return fail({ kind: 'busy' })

    if (!dryRun) for (const { name } of kept) await vault.deleteLostAndFound(name)
    const staged = await leftoversIn(ports)
    // A damaged log of this computer says too little about what the team needs.
    const bucket = isWhole ? ports.bucket : null
    const folded = bucket && (await foldOld(bucket, dryRun, run))
    const objects =
      bucket && (await (dryRun ? countObjects(ports, bucket, names, run) : collectObjects(ports, bucket, run)))
    if (!dryRun) for (const { name } of staged) await vault.removeStaging(name)
    const beside = [...kept, ...staged]
    return ok({
      isDryRun: dryRun,
      blobs: loose.length,
      files: freed.files + beside.reduce((sum, { files }) => sum + files, 0),
      bytes: freed.bytes + beside.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(objects !== null && folded !== null && { bucket: { objects, ...folded } }),
      setAside: { files: moved.files.length, bytes: moved.bytes },
    })
  })
}

/** Counts the versions whose references cannot be read. If there are any, nothing may be deleted. */
export async function unreadableVersions(ports: CarePorts, { signal, onProgress }: CareRun): Promise<number> {
  // In this state nothing can be recorded, and nothing can be deleted either.
  if (ports.library.state !== 'whole') return 0
  const onRead = (done: number): void => onProgress({ step: 'reading', done, total: null, unit: 'versions' })
  return readReferences(ports, { signal, onRead })
}

async function deleteDropped({ index, vault }: CarePorts, signal: AbortSignal) {
  const { files, bytes, left } = await vault.deleteDropped(index.blobs.dropped(), signal)
  return { files: files.length, bytes, left }
}

const nothing = { files: [], bytes: 0, left: 0 } as const

/** The blobs that nothing needs. Removes them from the library, except in a dry run. */
async function looseBlobs({ index }: CarePorts, dryRun: boolean, signal: AbortSignal): Promise<readonly Sha256[]> {
  const loose: Sha256[] = []
  let sheets = index.references.sheetCount()
  for (let at: string | null = ''; at !== null;) {
    signal.throwIfAborted()
    const stretch = index.looseBlobs.stretch(at)
    if (!dryRun && stretch.loose.length > 0) {
      await index.commit.write(() => index.looseBlobs.drop(stretch.loose))
      // The disk may be so full that SQLite's files beside the index must not grow.
      index.writeBack()
    }
    loose.push(...stretch.loose)
    at = stretch.next
    await nextTurn()
    if (at !== null) continue
    // Files that only a deleted style sheet named are unused now, also those that were looked at before.
    const left = index.references.sheetCount()
    if (left < sheets) at = ''
    sheets = left
  }
  return loose
}
