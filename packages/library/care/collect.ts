import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { databaseFiles } from '../db/database/open.ts'
import type { CollectReport } from '../records/care-reports.ts'
import { collectObjects, countObjects } from './collect-objects.ts'
import { foldOld } from './fold-bucket.ts'
import { forecastOf, sumOf, sumOfEntries } from './freed-files.ts'
import { leftoversIn } from './leftovers.ts'
import { isLogWhole, lacksEntries } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import { readReferences } from './read-pages.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

const dayMs = 86_400_000

export interface CollectOptions {
  readonly dryRun: boolean
  /** Also deletes the files that earlier runs moved to `lost-and-found`. */
  readonly emptyLostAndFound: boolean
}

/**
 * Deletes what the library no longer needs: unused blobs, files of pruned versions, and the remains of interrupted
 * saves in staging. Files that were never in the index are moved to `lost-and-found` instead, after 24 hours and only
 * in an intact library; fails with `log_damaged` if the index lacks entries. Can run concurrently with a listener, also of another process; fails with `busy` if files were
 * in use all the time. A member of a team also removes the objects of unused files from the bucket.
 */
export function collect(
  ports: CarePorts,
  { dryRun, emptyLostAndFound }: CollectOptions,
  run: CareRun,
): Promise<Result<CollectReport, CareFailure>> {
  const { vault } = ports
  return asCareResult(run, async () => {
    if (lacksEntries(ports)) return fail({ code: 'log_damaged' })
    const unreadable = await unreadableVersions(ports, dryRun, run)
    if (unreadable > 0) return fail({ code: 'pages_unreadable', versions: unreadable })
    const forecast = dryRun ? await forecastOf(ports, new Map(), run.signal) : null
    const dropped = forecast?.blobs ?? (await dropLoose(ports, run.signal))
    run.onProgress({ step: 'deleting', done: 0, total: null, unit: 'files' })
    const freed = forecast
      ? { ...(await sumOf(ports, forecast.files, run.signal)), left: 0 }
      : await deleteDropped(ports, run.signal)
    run.signal.throwIfAborted()

    // Listed before this run moves files there: only files of earlier runs are deleted.
    const isWhole = await isLogWhole(ports.library, run.signal)
    const kept = emptyLostAndFound && isWhole ? await vault.lostAndFound() : []
    const unnamed = isWhole ? await vault.unreferenced(ports.now().getTime() - dayMs, run.signal) : nothing
    const moved = dryRun ? unnamed : await vault.setAside(unnamed.files, run.signal)
    run.signal.throwIfAborted()
    const left = dryRun ? 0 : freed.left + moved.left
    if (left > 0) return fail({ code: 'busy' })

    if (!dryRun)
      await ports.background.run('forgetPages', {
        file: ports.index.search.file,
        index: databaseFiles(ports.folder).index,
      })
    if (!dryRun) for (const { name } of kept) await vault.deleteLostAndFound(name)
    const staged = await leftoversIn(ports)
    // If the local log is damaged, it is not known which files the team needs.
    const bucket = isWhole ? ports.bucket : null
    const folded = bucket && (await foldOld(ports, bucket, dryRun, run))
    const objects =
      bucket &&
      (await (forecast ? countObjects(ports, bucket, forecast.files, run) : collectObjects(ports, bucket, run))) +
        (await bucket.collectTexts(dryRun, run.signal))
    if (!dryRun) for (const { name } of staged) await vault.removeStaging(name)
    const beside = sumOfEntries([...kept, ...staged])
    return ok({
      isDryRun: dryRun,
      blobs: dropped,
      files: freed.files + beside.files,
      bytes: freed.bytes + beside.bytes,
      ...(objects !== null && folded !== null && { bucket: { objects, ...folded } }),
      setAside: { files: moved.files.length, bytes: moved.bytes },
    })
  })
}

/** Counts the versions whose references cannot be read. If there are any, nothing may be deleted. */
export async function unreadableVersions(
  ports: CarePorts,
  onlyLooks: boolean,
  { signal, onProgress }: CareRun,
): Promise<number> {
  // In this state nothing can be recorded, and nothing can be deleted either.
  if (ports.library.state !== 'whole') return 0
  const onRead = (done: number): void => onProgress({ step: 'reading', done, total: null, unit: 'versions' })
  return readReferences(ports, { signal, onRead, onlyLooks })
}

async function deleteDropped({ index, vault }: CarePorts, signal: AbortSignal) {
  const { files, bytes, left } = await vault.deleteDropped(index.blobs.dropped(), signal)
  return { files: files.length, bytes, left }
}

const nothing = { files: [], bytes: 0, left: 0 } as const

/** Removes the unused blobs from the library. Returns how many. */
async function dropLoose({ index }: CarePorts, signal: AbortSignal): Promise<number> {
  let dropped = 0
  let sheets = index.references.sheetCount()
  for (let at: string | null = ''; at !== null;) {
    signal.throwIfAborted()
    const range = index.unusedBlobs.range(at)
    if (range.unused.length > 0) {
      await index.commit.write(() => index.unusedBlobs.drop(range.unused))
      // The disk may be too full for SQLite's write-ahead log to grow.
      index.writeBack()
    }
    dropped += range.unused.length
    at = range.next
    await nextTurn()
    if (at !== null) continue
    // Files that were used only by a deleted style sheet are unused now, including those that were checked before.
    const left = index.references.sheetCount()
    if (left < sheets) at = ''
    sheets = left
  }
  return dropped
}
