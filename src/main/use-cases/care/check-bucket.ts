import type { Finding } from '../../../contract/domain/care-reports.ts'
import { logStart } from '../../library/log/mark.ts'
import { hasCheckpointAfter } from '../../library/team/checkpoints.ts'
import { listFiles } from '../../library/team/drop-files.ts'
import { fileKey } from '../../library/team/keys.ts'
import type { LogGap } from '../../library/team/log-gaps.ts'
import { gapsUpTo, hasEntry, putBack } from '../../library/team/log-gaps.ts'
import { TeamLogError } from '../../library/team/replica.ts'
import { uploadAll } from '../../library/team/write-entry.ts'
import { isStorageFault } from '../../platform/disk/storage-reason.ts'
import type { DamagedFile } from './check-files.ts'
import { fileFinding } from './check-files.ts'
import type { CarePorts, TeamBucket } from './ports.ts'

type Ports = Pick<CarePorts, 'library' | 'index' | 'vault' | 'bucket'>

interface BucketCheck {
  readonly repair: boolean
  /** Files of this computer that are not whole. */
  readonly damaged: readonly DamagedFile[]
  readonly signal: AbortSignal
}

/**
 * Finds what the bucket of a team has lost because objects were deleted or an older copy was restored. A repair sends what
 * this computer has, under the same keys. Finds nothing if the bucket cannot be reached.
 */
export async function checkBucket(ports: Ports, check: BucketCheck): Promise<readonly Finding[]> {
  const { bucket, library, index } = ports
  if (bucket === null || library.state !== 'whole') return []
  const findings: Finding[] = []
  try {
    findings.push(...(await checkEntries(ports, bucket, check)))
    // Only the end of the log tells which files are needed.
    if (findings.some(({ fixable }) => !fixable)) return findings
    await index.followTeam?.()
    findings.push(...(await checkFiles(ports, bucket, check)))
  } catch (error) {
    if (!isStorageFault(error)) throw error
    if (findings.length === 0 && error instanceof TeamLogError && error.code !== 'log_newer')
      findings.push(
        logFinding(`Entry ${error.position} of the log in the bucket of the team is not the one expected here`),
      )
  }
  return findings
}

const logFinding = (detail: string, fixable = false, fixed = false): Finding => ({
  ...{ kind: 'log_damaged', detail, file: null, usedBy: [], fixable, fixed },
})

async function checkEntries(ports: Ports, bucket: TeamBucket, { repair, signal }: BucketCheck) {
  const findings: Finding[] = []
  for (const gap of await bucket.run(gapsUpTo(ports.index.commit.mark().position))) {
    signal.throwIfAborted()
    const lines = await linesFor(ports, bucket, gap)
    const fixable = lines !== null && !bucket.isReadOnly()
    const fixed = repair && fixable
    if (fixed) for (const [position, bytes] of lines) await bucket.run(putBack(position, bytes))
    const { from, upTo } = gap
    const entries = from === upTo ? `Entry ${from} of the log is` : `Entries ${from} to ${upTo} of the log are`
    findings.push(logFinding(`${entries} missing in the bucket of the team`, fixable, fixed))
  }
  return findings
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

async function checkFiles(ports: Ports, bucket: TeamBucket, { repair, damaged, signal }: BucketCheck) {
  const { index, vault } = ports
  const absent = new Map(index.blobs.files().map(({ file }) => [index.blobs.keyOf(file), file]))
  for (let after: string | null = ''; after !== null && absent.size > 0;) {
    signal.throwIfAborted()
    const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(bucket, after)
    for (const { file, droppedAt } of page.objects) absent.delete(fileKey(file, droppedAt))
    after = page.next
  }
  const unsound = new Set(damaged.map(({ file }) => file))
  const findings: Finding[] = []
  for (const [key, file] of absent) {
    signal.throwIfAborted()
    // Another member may have dropped it since.
    if (repair || findings.length === 0) await index.followTeam?.()
    if (!index.blobs.namesFile(file) || index.blobs.keyOf(file) !== key) continue
    const fixable = !vault.isDistant(file) && !unsound.has(file) && !bucket.isReadOnly()
    const fixed = repair && fixable
    if (fixed) await bucket.run(uploadAll([{ file, key }]))
    const blobs = index.blobs.inFile(file)
    const lost = { file, isMissing: true, blobs, bad: new Set(blobs.map(({ sha256 }) => sha256)) }
    findings.push(fileFinding(index, lost, { fixable, fixed, place: ' in the bucket of the team' }))
  }
  return findings
}

const pageAfter = (bucket: TeamBucket, after: string) => bucket.run(listFiles(after))
