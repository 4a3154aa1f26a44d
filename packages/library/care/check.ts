import { isStorageFault, isSystemError, storageCause } from '@galley/platform'
import type { Result, Sha256 } from '@galley/wire'
import { ok } from '@galley/wire'

import type { CheckReport, Finding } from '../records/care-reports.ts'
import { isLeft } from '../records/care-reports.ts'
import { isJobPath } from '../vault/staging.ts'
import type { Vault } from '../vault/vault.ts'
import type { BucketReport } from './check-bucket.ts'
import { checkBucket } from './check-bucket.ts'
import type { DamagedFile, FilesRead } from './check-files.ts'
import { fileFinding, listedAtMost, readFiles } from './check-files.ts'
import { checkIndex } from './check-index.ts'
import { leftoversIn } from './leftovers.ts'
import type { CarePorts } from './ports.ts'
import { readFile } from './read-file.ts'
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

/** The files that nothing uses: those of interrupted saves, which are no fault, by their names, and all others. */
interface Unused {
  readonly findings: readonly Finding[]
  readonly interrupted: readonly string[]
}

/**
 * Finds the files that neither the index nor a running job uses. A save that was interrupted before it was in the log leaves whole
 * files, which no stored save needs. A repair moves unused files aside, and empties staging.
 */
async function findUnused(ports: CarePorts, repair: boolean, { signal }: CareRun): Promise<Unused> {
  const { vault } = ports
  const unnamed = await vault.unreferenced(Number.POSITIVE_INFINITY, signal)
  const whole = new Set<Sha256>()
  for (const file of unnamed.files) if (await isWhole(vault, file, signal)) whole.add(file)
  const { files } = await vault[repair ? 'setAside' : 'stillUnreferenced'](unnamed.files, signal)
  signal.throwIfAborted()
  const leftovers = await leftoversIn(ports)
  if (repair) for (const { name } of leftovers) await vault.removeStaging(name)
  const finding = (kind: Finding['kind'], code: 'file_unused' | 'leftover') => (file: string) =>
    ({ kind, facts: { code }, file, usedBy: [], fixable: true, fixed: repair }) satisfies Finding
  const names = leftovers.map(({ name }) => name)
  return {
    findings: [
      ...files.filter((file) => !whole.has(file)).map(finding('orphan_file', 'file_unused')),
      ...names.filter((name) => !isJobPath(name)).map(finding('staging_leftover', 'leftover')),
    ],
    interrupted: [...files.filter((file) => whole.has(file)), ...names.filter(isJobPath)],
  }
}

/** Whether a file has the bytes that its name says. */
async function isWhole(vault: Vault, file: Sha256, signal: AbortSignal): Promise<boolean> {
  try {
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) return false
    const { sha256 } = await readFile(vault.read({ file, offset: 0, sizeBytes }), [], () => signal.throwIfAborted())
    return sha256 === file
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
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
