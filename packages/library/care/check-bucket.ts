import { createHash } from 'node:crypto'
import { isStorageFault, storageCause } from '@galley/platform'
import { addAll } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import { logStart } from '../log/mark.ts'
import type { CheckReport, Finding, FindingFacts } from '../records/care-reports.ts'
import { hasCheckpointAfter } from '../team/checkpoints.ts'
import { listFiles } from '../team/drop-files.ts'
import { isUnreadable } from '../team/entry-object.ts'
import { mayHold } from '../team/holds-file.ts'
import { fileKey } from '../team/keys.ts'
import type { LogGap } from '../team/log-gaps.ts'
import { hasEntry, listLog, replaceDamaged, objectsAt, putBack } from '../team/log-gaps.ts'
import { TeamLogError } from '../team/replica.ts'
import type { ListedObject } from '../team/requests.ts'
import { uploadAll } from '../team/write-entry.ts'
import type { DamagedFile } from './check-files.ts'
import { fileFinding } from './check-files.ts'
import { checkpointFault, sendAgain } from './fold-bucket.ts'
import type { CarePorts, TeamBucket } from './ports.ts'

type Ports = Pick<CarePorts, 'library' | 'index' | 'vault' | 'bucket'>

interface BucketCheck {
  /** The keys cannot write. */
  readonly isReader: boolean
  readonly repair: boolean
  /** Reads the files that only the bucket has. */
  readonly fetch: boolean
  /** Files of this computer that are not whole. */
  readonly damaged: readonly DamagedFile[]
  readonly signal: AbortSignal
}

export type BucketReport = Pick<CheckReport, 'findings' | 'inBucket'>

/**
 * Finds what the bucket of a team has lost because objects were deleted or damaged or an older copy was restored. A repair
 * sends what this computer has, under the same keys. Finds nothing if the bucket cannot be reached, unless files are to be
 * fetched: then it throws CausedError, BucketAwayError.
 */
export async function checkBucket(ports: Ports, asked: Omit<BucketCheck, 'isReader'>): Promise<BucketReport> {
  const { bucket, library, index } = ports
  if (bucket === null || library.state !== 'whole') return { findings: [] }
  const findings: Finding[] = []
  let isLogWhole = true
  try {
    const check = { ...asked, isReader: await bucket.isReadOnly() }
    findings.push(...(await checkMarker(bucket, check)))
    const entries = await checkEntries(ports, bucket, check)
    addAll(findings, entries)
    isLogWhole = entries.every(({ fixed }) => fixed)
    // Only the end of the log shows which files are needed.
    if (entries.some(({ fixable }) => !fixable)) return { findings }
    await index.followTeam?.()
    findings.push(...(await checkCheckpoint(library, bucket, check)))
    const files = await checkFiles(ports, bucket, check)
    return { ...files, findings: [...findings, ...files.findings] }
  } catch (error) {
    if (!isStorageFault(error)) throw error
    // Damage in the log prevents following it, and was already reported.
    if (error instanceof TeamLogError) {
      if (isLogWhole) findings.push(logFinding({ code: 'cause', reason: error.reason }))
    } else if (asked.fetch) throw error
  }
  return { findings }
}

const logFinding = (facts: FindingFacts, fixable = false, fixed = false): Finding => ({
  kind: 'log_damaged',
  facts,
  file: null,
  usedBy: [],
  fixable,
  fixed,
})

async function checkMarker(bucket: TeamBucket, { repair, isReader }: BucketCheck): Promise<readonly Finding[]> {
  const state = await bucket.marker.state()
  if (state === 'ours') return []
  const fixable = state === 'missing' && !isReader
  const fixed = repair && fixable
  if (fixed) await bucket.marker.write()
  return [logFinding({ code: 'marker', isMissing: state === 'missing' }, fixable, fixed)]
}

async function checkCheckpoint(
  library: Ports['library'],
  bucket: TeamBucket,
  { repair, isReader, signal }: BucketCheck,
): Promise<readonly Finding[]> {
  const fault = await checkpointFault(library, bucket)
  if (fault === null) return []
  const fixed = repair && !isReader
  if (fixed) await sendAgain(library, bucket, signal)
  return [logFinding({ code: 'checkpoint', isMissing: fault === 'missing' }, !isReader, fixed)]
}

async function checkEntries(ports: Ports, bucket: TeamBucket, { repair, isReader, signal }: BucketCheck) {
  const findings: Finding[] = []
  const { gaps, objects } = await bucket.run(listLog(ports.index.commit.mark().position))
  const damaged = await damagedEntries(ports, bucket, objects, signal)
  const missing = gaps.map((gap) => ({ gap, state: 'missing_in_bucket' as const, send: putBack }))
  const wrong = runsOf(damaged).map((gap) => ({ gap, state: 'damaged_in_bucket' as const, send: replaceDamaged }))
  for (const { gap, state, send } of [...missing, ...wrong]) {
    signal.throwIfAborted()
    const lines = await linesFor(ports, bucket, gap)
    const fixable = lines !== null && !isReader
    const fixed = repair && fixable
    if (fixed) for (const [position, bytes] of lines) await bucket.run(send(position, bytes))
    findings.push(logFinding({ code: 'entries', state, ...gap }, fixable, fixed))
  }
  return findings
}

/** How many entries are read in parallel. */
const readAtOnce = 16

/**
 * The entries whose object is damaged. Galley reads those whose size or hash is not that of the line here: the ETag of an
 * encrypted object is not the hash of its bytes, and an object may be the marker of a fold, or an entry of another log,
 * which cannot be followed.
 */
async function damagedEntries(
  { library: { log } }: Ports,
  bucket: TeamBucket,
  objects: ReadonlyMap<number, ListedObject | null>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const damaged: number[] = []
  /** The position up to which entries of a size are markers, so that not each of them is read. */
  const markers = new Map<number, number>()
  const sizeAt = (position: number): number => objects.get(position)?.sizeBytes ?? 0
  async function read(positions: readonly number[]): Promise<void> {
    signal.throwIfAborted()
    for (const [at, found] of (await bucket.run(objectsAt(positions))).entries()) {
      const position = positions[at] ?? 0
      if (found.kind === 'folded') markers.set(sizeAt(position), found.checkpoint)
      else if (isUnreadable(found)) damaged.push(position)
    }
  }
  let suspects: number[] = []
  for (const item of log.read(logStart)) {
    if (item.kind === 'fault') continue
    const { position, start, end } = item.mark
    const object = objects.get(position)
    if (object === undefined || position <= (markers.get(sizeAt(position)) ?? 0)) continue
    if (object?.sizeBytes === end - start && object.md5 === md5Of(log.lineOf(item.mark))) continue
    suspects.push(position)
    if (suspects.length < readAtOnce) continue
    await read(suspects)
    suspects = []
  }
  if (suspects.length > 0) await read(suspects)
  return damaged
}

const md5Of = (line: Buffer | null): string | null => line && createHash('md5').update(line).digest('hex')

/** Neighbours are repaired together, because a repair needs whole entries around what it sends. */
function runsOf(positions: readonly number[]): readonly LogGap[] {
  const runs: LogGap[] = []
  for (const at of positions) {
    const last = runs.at(-1)
    if (last?.upTo === at - 1) runs.splice(-1, 1, { from: last.from, upTo: at })
    else runs.push({ from: at, upTo: at })
  }
  return runs
}

/**
 * The lines of a gap. Null if this computer lacks some, or the bucket has other entries around the gap. Null also if they are
 * folded: they may name a person who was erased.
 */
async function linesFor({ library, index }: Ports, bucket: TeamBucket, { from, upTo }: LogGap) {
  // The log of the team is, or was, longer than that of this computer.
  if (await bucket.run(hasCheckpointAfter(index.commit.mark().position))) return null
  const lines = new Map<number, Buffer>()
  const around = new Map<number, Buffer>()
  for (const item of library.log.read(logStart)) {
    if (item.kind === 'fault') continue
    // Before the first entry there is none that would show whether an erase has folded what it erased.
    if (from === 1 && item.entry.changes.some(({ kind }) => kind === 'person_erased')) return null
    const { position } = item.mark
    const line = position >= from - 1 && position <= upTo + 1 ? library.log.lineOf(item.mark) : null
    if (line !== null) (position >= from && position <= upTo ? lines : around).set(position, line)
  }
  if (lines.size < upTo - from + 1) return null
  for (const position of [from - 1, upTo + 1])
    if (!(await bucket.run(hasEntry(position, around.get(position) ?? null)))) return null
  return lines
}

async function checkFiles(
  ports: Ports,
  bucket: TeamBucket,
  { repair, fetch, isReader, damaged, signal }: BucketCheck,
): Promise<Required<BucketReport>> {
  const { index, vault } = ports
  const compared = { bySize: 0, fetched: 0 }
  const unsound = new Set(damaged.map(({ file }) => file))
  const isSoundHere = (file: Sha256): boolean => !vault.isRemote(file) && !unsound.has(file)
  const isWhole = async ({ file, sizeBytes }: ReferencedFile, object: ListedObject | null): Promise<boolean> => {
    if (isSoundHere(file)) return vault.isWholeInBucket(file, object)
    if (object !== null && !mayHold(object, sizeBytes, index.blobs.maxBytesOf(file))) return false
    compared[fetch ? 'fetched' : 'bySize'] += 1
    return !fetch || isWholeWhenRead(bucket, file)
  }
  const lost = new Map(index.blobs.files().map((named) => [index.blobs.keyOf(named.file), named]))
  const wrong = new Set<string>()
  for (let after: string | null = ''; after !== null && lost.size > wrong.size;) {
    const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(bucket, after)
    for (const { file, droppedAt, listed } of page.objects) {
      signal.throwIfAborted()
      const key = fileKey(file, droppedAt)
      const named = lost.get(key)
      if (named === undefined) continue
      if (await isWhole(named, listed)) lost.delete(key)
      else wrong.add(key)
    }
    after = page.next
  }
  const findings: Finding[] = []
  for (const [key, { file }] of lost) {
    signal.throwIfAborted()
    // Another member may have dropped it since.
    if (repair || findings.length === 0) await index.followTeam?.()
    if (!index.blobs.isReferenced(file) || index.blobs.keyOf(file) !== key) continue
    const fixable = isSoundHere(file) && !isReader
    const fixed = repair && fixable
    if (fixed) await bucket.run(uploadAll([{ file, key }]))
    const blobs = index.blobs.inFile(file)
    const found = { file, isMissing: !wrong.has(key), blobs, bad: new Set(blobs.map(({ sha256 }) => sha256)) }
    findings.push(fileFinding(index, found, { fixable, fixed, inBucket: true }))
  }
  return { findings, inBucket: compared }
}

async function isWholeWhenRead({ files }: TeamBucket, file: Sha256): Promise<boolean> {
  try {
    await files.verify(file)
    return true
  } catch (error) {
    if (isStorageFault(error) && storageCause(error).code.startsWith('team_file_')) return false
    throw error
  }
}

type ReferencedFile = ReturnType<Ports['index']['blobs']['files']>[number]

const pageAfter = (bucket: TeamBucket, after: string) => bucket.run(listFiles(after))
