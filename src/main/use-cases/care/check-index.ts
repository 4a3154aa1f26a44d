import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Finding } from '../../../contract/domain/care-reports.ts'
import { counted } from '../../platform/logging/counted.ts'
import { compareWithLog } from '../../library/db/compare-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { storageReason } from '../../platform/disk/storage-reason.ts'
import type { LogFault } from '../../library/log/read-log.ts'
import { logFaults } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import { scratchOf } from './ports.ts'
import { isNotTaken, readPages } from './read-pages.ts'

export type CheckIndexPorts = Pick<CarePorts, 'folder' | 'library' | 'vault' | 'background'>

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
  const found = library.state === 'log_mismatch' ? [] : await logFaults(library, signal)
  const logFindings =
    library.state === 'log_mismatch' ? [mismatch] : found.map((each) => entryFinding(each, faultWords[each.kind]))
  const damages = await tableFindings(library, signal)
  const isReadable = damages.every(({ kind }) => kind !== 'index_damaged')
  const isComparable = isReadable && library.state === 'whole'
  const lacks = isComparable ? lackFindings(library, found) : []
  const differences = isComparable ? await differenceFindings(ports, signal) : []
  const searched = isReadable ? await searchFindings(ports, run) : []
  // A rebuild requires an intact log. Otherwise a person decides which of the two to use; a member fetches its team's.
  const isCopy = library.index.followTeam !== null
  const faults = [...logFindings, ...lacks.filter(({ kind }) => kind === 'log_damaged')]
  const lacking = lacks.filter(({ kind }) => kind === 'index_differs')
  const wrong = [...(isCopy ? faults : []), ...lacking, ...damages, ...differences]
  const canRebuild = wrong.length > 0 && (isCopy || logFindings.length === 0) && library.state === 'whole'
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

const mismatch = finding({ kind: 'log_mismatch', detail: 'The index does not match its log', fixable: false })

const entryFinding = (
  { position, count }: Pick<LogFault, 'position' | 'count'>,
  { one, many }: { readonly one: string; readonly many: string },
  kind: Finding['kind'] = 'log_damaged',
): Finding => {
  const detail =
    count === 1
      ? `Entry ${position} of the log ${one}`
      : `Entries ${position} to ${position + count - 1} of the log ${many}`
  return finding({ kind, detail, fixable: false })
}

const lackWords = { one: 'is not in the index', many: 'are not in the index' }
const cutOffWords = { one: 'was cut off its end', many: 'were cut off its end' }
const partWords = {
  one: 'contradicts earlier ones: the index has only a part of it',
  many: 'contradict earlier ones: the index has only a part of them',
}

/** Entries that the index lacks, beside those that are faults of the log. A rebuild brings back what the log has again. */
function lackFindings({ index, log }: OpenedLibrary, faults: readonly LogFault[]): readonly Finding[] {
  const [first = 1] = log.segments()
  const lastOf = ({ position, count }: { readonly position: number; readonly count: number }) => position + count - 1
  return index
    .lostEntries()
    .filter(
      (row) =>
        row.kind === 'cut_off' ||
        !faults.some((fault) => fault.position <= row.position && lastOf(row) <= lastOf(fault)),
    )
    .map((row) => {
      if (row.kind === 'cut_off') return entryFinding(row, cutOffWords)
      if (row.kind === 'contradicts') return entryFinding(row, partWords)
      return entryFinding(row, lackWords, row.position < first ? 'log_damaged' : 'index_differs')
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
  // After a rebuild, the pages are added to the search again; those that cannot be fetched or recorded now, later.
  await readPages({ index, vault, background }, signal).catch((error: unknown) => {
    if (!isNotTaken(error)) throw error
  })
  return findings
}

const isIndexFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')
