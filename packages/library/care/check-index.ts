import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { storageCause } from '@galley/platform'

import { compareWithLog } from '../db/open/compare-index.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import type { LogFault } from '../log/read-log.ts'
import type { EntryState, Finding } from '../records/care-reports.ts'
import type { Entry } from '../records/changes.ts'
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
  const renamed = renamings(library)
  const found = library.state === 'log_mismatch' ? [] : await logFaults(library, signal, renamed.read)
  const logFindings = library.state === 'log_mismatch' ? [mismatch] : found.map((each) => entryFinding(each, each.kind))
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
  if (damages.length > 0) library.damage.note()
  if (repair && canRebuild) library.requestRebuild()
  const fixable = wrong.map((each) => ({ ...each, fixable: canRebuild }))
  return [
    ...skippedFindings(library),
    ...renamed.findings,
    ...alteredFindings(library, repair),
    ...(isCopy ? [] : faults),
    ...fixable,
    ...searched,
  ]
}

const finding = (parts: Pick<Finding, 'kind' | 'facts' | 'fixable'> & Partial<Finding>): Finding => ({
  file: null,
  usedBy: [],
  fixed: false,
  ...parts,
})

const mismatch = finding({ kind: 'log_mismatch', facts: { code: 'index_of_other_log' }, fixable: false })

const entryFinding = (
  { position, count }: Pick<LogFault, 'position' | 'count'>,
  state: EntryState,
  kind: Finding['kind'] = 'log_damaged',
): Finding =>
  finding({ kind, facts: { code: 'entries', state, from: position, upTo: position + count - 1 }, fixable: false })

/** Entries that every computer skips. */
const skippedFindings = ({ index }: OpenedLibrary): readonly Finding[] =>
  index
    .refusedEntries()
    .map(({ position, why }) =>
      finding({ kind: 'entry_skipped', facts: { code: 'skipped', position, why }, fixable: false }),
    )

/** Entries that name another library after the one that names this one: no computer follows them. */
function renamings({ index, log }: OpenedLibrary) {
  const findings: Finding[] = []
  const own = index.library()
  // The first entry of a team is in the checkpoint before a log that begins later.
  let isNamed = index.followTeam !== null && log.segments()[0] !== 1
  return {
    findings,
    read({ position, changes }: Entry): void {
      const names = changes.flatMap((change) => (change.kind === 'library_named' ? [change.library] : []))
      const facts = { code: 'skipped', position, why: 'library' } as const
      if (isNamed && names.some((name) => name !== own))
        findings.push(finding({ kind: 'entry_skipped', facts, fixable: false }))
      isNamed ||= names.includes(own)
    },
  }
}

/** Line ends that another program has changed. Nothing is lost: the log is read all the same. */
function alteredFindings({ log, lock }: OpenedLibrary, repair: boolean): readonly Finding[] {
  const segments = log.altered().length
  if (segments === 0) return []
  if (repair) lock.hold(log.restore)
  const facts = { code: 'line_ends', segments } as const
  return [finding({ kind: 'log_altered', facts, fixable: true, fixed: repair })]
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
      if (row.kind === 'cut_off') return entryFinding(row, 'cut_off')
      if (row.kind === 'contradicts') return entryFinding(row, 'contradicting')
      return entryFinding(row, 'not_in_index', row.position < first ? 'log_damaged' : 'index_differs')
    })
}

async function tableFindings({ index }: OpenedLibrary, signal: AbortSignal): Promise<readonly Finding[]> {
  const { consistency } = index
  const findings: Finding[] = []
  for (const table of consistency.tables()) {
    signal.throwIfAborted()
    const verdict = consistency.quickCheck(table)
    if (verdict !== 'ok')
      findings.push(finding({ kind: 'index_damaged', facts: { code: 'table_damaged', verdict }, fixable: false }))
    await nextTurn()
  }
  return findings
}

/** Rows that are only in the index or only in the log. */
async function differenceFindings(ports: CheckIndexPorts, signal: AbortSignal): Promise<readonly Finding[]> {
  const { library, vault } = ports
  const { index, log, checkpoints } = library
  // The copy and the index that is built may be on different disks.
  const scratches: string[] = []
  const scratchForOne = async (): Promise<string> => {
    const scratch = await scratchOf(ports, 1)
    scratches.push(scratch)
    return scratch
  }
  try {
    const copy = join(await scratchForOne(), 'copy.db')
    await index.copyTo(copy, () => undefined, signal)
    const scratch = await scratchForOne()
    const { differences } = await compareWithLog(copy, { log, checkpoints, library: index.library(), scratch })
    return differences.map(({ table, rows }) =>
      finding({ kind: 'index_differs', facts: { code: 'rows_differ', table, rows }, fixable: false }),
    )
  } catch (error) {
    // The quick check misses damage that appears only when rows are read.
    if (!isIndexFault(error)) throw error
    const facts = { code: 'cause', reason: storageCause(error) } as const
    return [finding({ kind: 'index_damaged', facts, fixable: false })]
  } finally {
    for (const scratch of scratches) await vault.discard(scratch)
  }
}

async function searchFindings(
  { library: { index }, vault, background }: CheckIndexPorts,
  { repair, signal }: CheckIndexRun,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  if (index.consistency.searchIndex() !== 'ok') {
    if (repair) index.consistency.rebuildSearchIndex()
    const facts = { code: 'search_outdated' } as const
    findings.push(finding({ kind: 'search_index', facts, fixable: true, fixed: repair }))
  }
  // After a rebuild, the pages are added to the search again; those that cannot be fetched or recorded now, later.
  await readPages({ index, vault, background }, signal).catch((error: unknown) => {
    if (!isNotTaken(error)) throw error
  })
  return findings
}

const isIndexFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')
