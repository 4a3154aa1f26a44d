import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { isOfBucket } from '../../../contract/cause.ts'
import type { Finding } from '../../../contract/domain/care-reports.ts'
import { counted } from '../../platform/logging/counted.ts'
import { compareWithLog } from '../../library/db/compare-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { storageCause, storageReason } from '../../platform/disk/storage-reason.ts'
import type { LogFault } from '../../library/log/read-log.ts'
import { logFaults } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import { scratchOf } from './ports.ts'
import { readPages } from './read-pages.ts'

export type CheckIndexPorts = Pick<CarePorts, 'library' | 'vault' | 'background'>

interface CheckIndexRun {
  readonly repair: boolean
  readonly signal: AbortSignal
}

/**
 * Checks each table of the index, and compares it row by row with the log. A repair requests a rebuild at the next start,
 * and adds missing pages to the search.
 */
export async function checkIndex(ports: CheckIndexPorts, run: CheckIndexRun): Promise<readonly Finding[]> {
  const { library } = ports
  const { repair, signal } = run
  const faults = await logFindings(library, signal)
  const damages = await tableFindings(library, signal)
  const isReadable = damages.every(({ kind }) => kind !== 'index_damaged')
  const differences = isReadable && library.state === 'whole' ? await differenceFindings(ports, signal) : []
  const searched = isReadable ? await searchFindings(ports, run) : []
  // A rebuild requires an intact log. Otherwise a person decides which of the two to use; a member fetches its team's.
  const isCopy = library.index.followTeam !== null
  const wrong = [...(isCopy ? faults : []), ...damages, ...differences]
  const canRebuild = wrong.length > 0 && (isCopy || faults.length === 0) && library.state === 'whole'
  if (repair && canRebuild) library.requestRebuild()
  const fixable = wrong.map((each) => ({ ...each, fixable: canRebuild }))
  return [...(isCopy ? [] : faults), ...fixable, ...searched]
}

const finding = (parts: Pick<Finding, 'kind' | 'detail' | 'fixable'> & Partial<Finding>): Finding => ({
  file: null,
  usedBy: [],
  fixed: false,
  ...parts,
})

const faultWords: Record<LogFault['kind'], { readonly one: string; readonly many: string }> = {
  damaged: { one: 'is damaged', many: 'are damaged' },
  missing: { one: 'is missing', many: 'are missing' },
  unlinked: { one: 'does not follow on the one before it', many: 'do not follow on those before them' },
  newer: { one: 'was written by a newer version of Galley', many: 'were written by a newer version of Galley' },
}

async function logFindings({ log, state }: OpenedLibrary, signal: AbortSignal): Promise<readonly Finding[]> {
  if (state === 'log_mismatch')
    return [finding({ kind: 'log_mismatch', detail: 'The index does not match its log', fixable: false })]
  const faults = await logFaults(log, signal)
  return faults.map(({ kind, position, count }) => {
    const detail =
      count === 1
        ? `Entry ${position} of the log ${faultWords[kind].one}`
        : `Entries ${position} to ${position + count - 1} of the log ${faultWords[kind].many}`
    return finding({ kind: 'log_damaged', detail, fixable: false })
  })
}

async function tableFindings({ index }: OpenedLibrary, signal: AbortSignal): Promise<readonly Finding[]> {
  const { consistency } = index
  const findings: Finding[] = []
  for (const table of consistency.tables()) {
    signal.throwIfAborted()
    const verdict = consistency.quickCheck(table)
    if (verdict !== 'ok') findings.push(finding({ kind: 'index_damaged', detail: verdict, fixable: false }))
    await nextTurn()
  }
  return findings
}

/** Rows that are only in the index or only in the log. */
async function differenceFindings(ports: CheckIndexPorts, signal: AbortSignal): Promise<readonly Finding[]> {
  const { library, vault } = ports
  const { index, log, checkpoints } = library
  const scratch = await scratchOf(ports)
  try {
    const copy = join(scratch, 'copy.db')
    await index.copyTo(copy, () => undefined, signal)
    const { differences } = await compareWithLog(copy, { log, checkpoints, library: index.library(), scratch })
    return differences.map(({ table, rows }) => {
      const detail = `The table ${table} of the index differs from the log in ${counted(rows, 'row')}`
      return finding({ kind: 'index_differs', detail, fixable: false })
    })
  } catch (error) {
    // The quick check misses damage that appears only when rows are read.
    if (!isIndexFault(error)) throw error
    return [finding({ kind: 'index_damaged', detail: storageReason(error), fixable: false })]
  } finally {
    await vault.discard(scratch)
  }
}

async function searchFindings(
  { library: { index }, vault, background }: CheckIndexPorts,
  { repair, signal }: CheckIndexRun,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  if (index.consistency.searchIndex() !== 'ok') {
    if (repair) index.consistency.rebuildSearchIndex()
    const detail = 'The full-text index does not agree with its documents'
    findings.push(finding({ kind: 'search_index', detail, fixable: true, fixed: repair }))
  }
  // After a rebuild, the pages are added to the search again; those that only an unreachable bucket has, later.
  await readPages({ index, vault, background }, signal).catch((error: unknown) => {
    if (!isOfBucket(storageCause(error))) throw error
  })
  return findings
}

const isIndexFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')
