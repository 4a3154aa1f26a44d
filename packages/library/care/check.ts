import { isStorageFault, storageCause } from '@galley/platform'
import type { Result, Sha256 } from '@galley/wire'
import { ok } from '@galley/wire'

import type { CheckReport, Finding } from '../records/care-reports.ts'
import { isLeft } from '../records/care-reports.ts'
import type { BucketReport } from './check-bucket.ts'
import { checkBucket } from './check-bucket.ts'
import type { DamagedFile, FilesRead } from './check-files.ts'
import { fileFinding, listedAtMost, readFiles } from './check-files.ts'
import { checkIndex } from './check-index.ts'
import { findUnused } from './check-unused.ts'
import type { CarePorts } from './ports.ts'
import type { BrokenPage, BrokenSheet } from './read-pages.ts'
import { brokenPages, brokenSheets, readReferences } from './read-pages.ts'
import { repairFiles, sourcesOf } from './repair-files.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

/**
 * Replaces a member's damaged copies with files from the bucket of its team, whose bytes are checked. Returns the
 * repaired blobs; none outside a team library.
 */
async function fetchAgain(
  { bucket }: Pick<CarePorts, 'bucket'>,
  damaged: readonly DamagedFile[],
  signal: AbortSignal,
): Promise<ReadonlySet<Sha256>> {
  const whole = new Set<Sha256>()
  if (bucket === null) return whole
  for (const { file, blobs } of damaged) {
    signal.throwIfAborted()
    try {
      await bucket.files.fetchAgain(file)
    } catch (error) {
      if (!isStorageFault(error)) throw error
      // The bucket has lost this one, but may have the next. Any other error ends the attempts.
      if (storageCause(error).code.startsWith('team_file_')) continue
      break
    }
    for (const { sha256 } of blobs) whole.add(sha256)
  }
  return whole
}

export interface CheckOptions {
  readonly repair: boolean
  /** Also reads all files that only the bucket of a team has. */
  readonly fetch?: boolean
}

/**
 * Checks a library: every table, every byte of every file, and unknown files. A repair fixes what it can without data loss;
 * unused files are set aside, not deleted. Runs concurrently with a listener.
 */
export function checkLibrary(
  ports: CarePorts,
  { repair, fetch = false }: CheckOptions,
  run: CareRun,
): Promise<Result<CheckReport, CareFailure>> {
  const { index, vault } = ports
  return asCareResult(run, async () => {
    const release = await vault.share()
    let fileFindings: readonly Finding[]
    let read: FilesRead
    let findings: readonly Finding[]
    let distant: BucketReport = { findings: [] }
    try {
      findings = await checkIndex(ports, { repair: false, signal: run.signal })
      const isReadable = findings.every(({ kind }) => kind !== 'index_damaged')
      read = isReadable ? await readFiles(index, vault, run) : { files: 0, bytes: 0, damaged: [] }
      const whole = repair ? await repaired(ports, read.damaged, run.signal) : new Set<Sha256>()
      fileFindings = describeFiles(ports, read.damaged, whole, repair)
      // Before the pages are read, because the bucket may have lost some of them.
      if (isReadable) distant = await checkBucket(ports, { repair, fetch, damaged: read.damaged, signal: run.signal })
      if (isReadable && ports.library.state === 'whole')
        await readReferences(ports, { signal: run.signal, givesUp: repair, onlyLooks: true })
      if (isReadable) {
        const [pages, sheets] = [await brokenPages(ports, run.signal), await brokenSheets(ports, run.signal)]
        fileFindings = [...fileFindings, ...pages.map(pageFinding), ...sheets.map(sheetFinding)]
      }
      // After the files, because the search may need a repaired page.
      if (repair && findings.length > 0) findings = await checkIndex(ports, { repair, signal: run.signal })
    } finally {
      release()
    }
    // A damaged index may have lost references to files.
    const isWhole = findings.every(({ kind }) => ['search_index', 'log_altered', 'entry_skipped'].includes(kind))
    const unused = isWhole ? await findUnused(ports, repair, run) : { findings: [], interrupted: [] }
    const all = [...findings, ...fileFindings, ...distant.findings, ...unused.findings]
    return ok({
      ok: !all.some(isLeft),
      isRepair: repair,
      files: read.files,
      bytes: read.bytes,
      ...(distant.inBucket && { inBucket: distant.inBucket }),
      findings: all,
      interrupted: unused.interrupted,
    })
  })
}

async function repaired(
  ports: CarePorts,
  damaged: readonly DamagedFile[],
  signal: AbortSignal,
): Promise<ReadonlySet<Sha256>> {
  const fetched = await fetchAgain(ports, damaged, signal)
  const left = damaged.filter(({ blobs }) => blobs.some(({ sha256 }) => !fetched.has(sha256)))
  return new Set([...fetched, ...(await repairFiles(ports, left, signal))])
}

function describeFiles(
  { index, bucket }: Pick<CarePorts, 'index' | 'bucket'>,
  damaged: readonly DamagedFile[],
  whole: ReadonlySet<Sha256>,
  repair: boolean,
): readonly Finding[] {
  const names = new Set(damaged.map(({ file }) => file))
  return damaged.map((each) => {
    const fixed = repair && each.blobs.every(({ sha256 }) => whole.has(sha256))
    const hasSources = (): boolean => [...each.bad].every((blob) => sourcesOf(index, blob, names).length > 0)
    const fixable = fixed || (!repair && (bucket !== null || hasSources()))
    return fileFinding(index, each, { fixable, fixed })
  })
}

function pageFinding({ site, materialId, versionId, names }: BrokenPage): Finding {
  return missingReferences([{ site, materialId, versionId, part: 'page' }], names)
}

function sheetFinding({ uses, names }: BrokenSheet): Finding {
  return missingReferences(
    uses.map(({ kind: _kind, ...touched }) => touched),
    names,
  )
}

function missingReferences(usedBy: Finding['usedBy'], names: readonly string[]): Finding {
  const facts = { code: 'references', names: names.slice(0, listedAtMost), all: names.length } as const
  return { kind: 'reference_missing', facts, file: null, usedBy, fixable: false, fixed: false }
}
