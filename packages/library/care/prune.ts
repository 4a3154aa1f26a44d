import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDiskLow } from '@galley/platform'
import type { MaterialId, Result, Sha256, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { KeptVersion, MaterialName } from '../db/version/retention.ts'
import type { Protection, PrunedVersion, PruneReport } from '../records/care-reports.ts'
import type { Retention } from '../views/health.ts'
import { collect, unreadableVersions } from './collect.ts'
import type { FileSum } from './freed-files.ts'
import { forecastOf, sumOf, sumOfEntries } from './freed-files.ts'
import { leftoversIn } from './leftovers.ts'
import { lacksEntries } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

/** The versions to delete by the retention rules. */
export interface PruneOptions {
  /** null for all. */
  readonly site: SiteId | null
  readonly retention: Retention
  readonly dryRun: boolean
}

/** The materials to delete with all their data. */
export interface DeletionOptions {
  readonly site: SiteId
  /** Unknown ids are skipped. */
  readonly materialIds: readonly MaterialId[]
  readonly dryRun: boolean
}

const listedAtMost = 1000
/** Versions per transaction: a few milliseconds, so that saves do not wait. */
const batch = 20
const dayMs = 86_400_000

/**
 * Deletes versions by the retention rules, oldest material first, and then their files. Never deletes current, marked and
 * exported ones. If it is stopped, completed deletions remain and no version is partly deleted.
 */
export function prune(
  ports: CarePorts,
  options: PruneOptions,
  run: CareRun,
): Promise<Result<PruneReport, CareFailure>> {
  return asCareResult(run, async () => {
    if (lacksEntries(ports)) return fail({ code: 'log_damaged' })
    const unreadable = await unreadableVersions(ports, options.dryRun, run)
    if (unreadable > 0) return fail({ code: 'pages_unreadable', versions: unreadable })
    const list: PrunedVersion[] = []
    const kept: Record<Protection, number> = { ...nothingProtected }
    const pruner = options.dryRun ? forecast(ports, run) : deletion(ports, run)
    let versions = 0
    for (const { material, taken } of histories(ports, options)) {
      run.signal.throwIfAborted()
      for (const { protection } of taken) if (protection !== null) kept[protection] += 1
      const deletable = taken.filter(({ protection }) => protection === null)
      for (const version of deletable.slice(0, listedAtMost - list.length)) list.push(listed(material, version))
      versions += await pruner.take(deletable)
      await nextTurn()
    }
    const freed = await pruner.freed()
    return freed.ok ? ok({ isDryRun: options.dryRun, versions, list, protected: kept, ...freed.value }) : freed
  })
}

/**
 * Deletes materials with all their versions, even protected ones, and then their files. Each material is deleted in one
 * transaction. Files that other materials use stay.
 */
export function deleteMaterials(
  ports: CarePorts,
  { site, materialIds, dryRun }: DeletionOptions,
  run: CareRun,
): Promise<Result<PruneReport, CareFailure>> {
  return asCareResult(run, async () => {
    if (lacksEntries(ports)) return fail({ code: 'log_damaged' })
    const unreadable = await unreadableVersions(ports, dryRun, run)
    if (unreadable > 0) return fail({ code: 'pages_unreadable', versions: unreadable })
    const { retention } = ports.index
    const list: PrunedVersion[] = []
    const pruner = dryRun ? forecast(ports, run) : deletion(ports, run)
    let versions = 0
    for (const materialId of materialIds) {
      run.signal.throwIfAborted()
      const material = retention.material(site, materialId)
      if (!material) continue
      const deletable = retention.history(material.row)
      for (const version of deletable.slice(0, listedAtMost - list.length)) list.push(listed(material, version))
      versions += await pruner.takeMaterial(material, deletable)
      await nextTurn()
    }
    const freed = await pruner.freed()
    return freed.ok ? ok({ isDryRun: dryRun, versions, list, protected: nothingProtected, ...freed.value }) : freed
  })
}

const nothingProtected = { current: 0, outgoing: 0, pinned: 0, approved: 0, tagged: 0, noted: 0, exported: 0 } as const

/** The versions of each material that the rule selects, protected or not. */
function* histories({ index, now }: CarePorts, { site, retention: { keepVersions, keepDays } }: PruneOptions) {
  if (keepVersions === null && keepDays === null) return
  const cutoffMs = keepDays === null ? Number.POSITIVE_INFINITY : now().getTime() - keepDays * dayMs
  for (let after = 0; ;) {
    const material = index.retention.nextGrown(after, site)
    if (!material) return
    after = material.row
    const old = index.retention.history(material.row).slice(keepVersions ?? 0)
    yield { material, taken: old.filter(({ receivedAt }) => Date.parse(receivedAt) < cutoffMs) }
  }
}

/** Deletes versions, or counts them in a dry run. */
interface Pruner {
  /** Returns the number of deleted versions. */
  take(deletable: readonly KeptVersion[]): Promise<number>
  /** Deletes a material with all its versions. Returns their number. */
  takeMaterial(material: MaterialName, deletable: readonly KeptVersion[]): Promise<number>
  freed(): Promise<Result<FileSum, CareFailure>>
}

function forecast(ports: CarePorts, { signal }: CareRun): Pruner {
  const { retention } = ports.index
  const endedUses = new Map<Sha256, number>()
  const take = (deletable: readonly KeptVersion[]): Promise<number> => {
    for (const blob of deletable.flatMap(({ row }) => retention.blobsOf(row)))
      endedUses.set(blob, (endedUses.get(blob) ?? 0) + 1)
    return Promise.resolve(deletable.length)
  }
  return {
    take,
    takeMaterial: (_material, deletable) => take(deletable),
    async freed() {
      const { files } = await forecastOf(ports, endedUses, signal)
      const [freed, beside] = [await sumOf(ports, files, signal), sumOfEntries(await leftoversIn(ports))]
      return ok({ files: freed.files + beside.files, bytes: freed.bytes + beside.bytes })
    },
  }
}

function deletion(ports: CarePorts, run: CareRun): Pruner {
  const { commit, retention, blobs } = ports.index
  let versions = 0
  let early: FileSum = { files: 0, bytes: 0 }
  let isHeld = false

  /** Frees space before the next deletion: SQLite's write-ahead log would otherwise fill the disk. */
  async function makeRoom(files: readonly Sha256[]): Promise<void> {
    ports.index.writeBack()
    if (isHeld) return
    const gone = await ports.vault.deleteDropped(files, run.signal)
    early = { files: early.files + gone.files.length, bytes: early.bytes + gone.bytes }
    // Another task uses the files. The collection at the end deletes them.
    isHeld = gone.left > 0
  }

  const filesOf = (rows: readonly number[]): readonly Sha256[] => [
    ...new Set(rows.flatMap(retention.blobsOf).flatMap((blob) => blobs.find(blob)?.file ?? [])),
  ]

  return {
    async take(deletable) {
      const before = versions
      for (let at = 0; at < deletable.length;) {
        run.signal.throwIfAborted()
        const isShort = ports.isShort === true || (await isDiskLow(ports.folder))
        const rows = deletable.slice(at, at + (isShort ? 1 : batch)).map(({ row }) => row)
        at += rows.length
        const files = isShort ? filesOf(rows) : []
        versions += await commit.write(() => retention.remove(rows))
        if (isShort) await makeRoom(files)
        run.onProgress({ step: 'deleting', done: versions, total: null, unit: 'versions' })
        await nextTurn()
      }
      return versions - before
    },
    async takeMaterial({ site, materialId }, deletable) {
      const isShort = ports.isShort === true || (await isDiskLow(ports.folder))
      const files = isShort ? filesOf(deletable.map(({ row }) => row)) : []
      const removed = await commit.write(() => retention.removeMaterial(site, materialId))
      versions += removed
      if (isShort) await makeRoom(files)
      run.onProgress({ step: 'deleting', done: versions, total: null, unit: 'versions' })
      return removed
    },
    async freed() {
      const collected = await collect(ports, { dryRun: false, emptyLostAndFound: false }, run)
      if (collected.ok)
        return ok({ files: early.files + collected.value.files, bytes: early.bytes + collected.value.bytes })
      return fail(
        collected.failure.code === 'busy'
          ? { code: 'busy', ...(versions > 0 && { state: 'pruned' }) }
          : collected.failure,
      )
    },
  }
}

const listed = (
  { site, materialId, title }: MaterialName,
  { versionId, number, receivedAt, sizeBytes }: KeptVersion,
): PrunedVersion => ({ site, materialId, title, versionId, number, receivedAt, sizeBytes })
