import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { LibraryLog } from '../../log/log.ts'
import { logStart } from '../../log/mark.ts'
import { databaseFiles, inspectIndex } from '../database/open.ts'
import { removeDatabase, unfinished } from './checkpoints.ts'
import type { LibraryContext } from './findings.ts'
import { writeName } from './library-file.ts'

/** The library has files, but neither a log nor an index. */
export class LibraryDamagedError extends Error {
  readonly code = 'library_damaged'
  constructor(isCopy = false) {
    super(
      'The folder contains files of a library, but its log and its index are missing. Nothing was changed. ' +
        (isCopy
          ? 'No save is lost: the team’s bucket has every entry. Join the team again in a new folder.'
          : 'Restore the log from a backup, or choose another folder.'),
    )
  }
}

/** The folder has the log or the index of another library. */
export class ForeignLibraryError extends Error {
  readonly code = 'library_damaged'
  constructor(what: 'log' | 'index', library: string, others: readonly string[]) {
    super(
      `The ${what} in the folder is that of another library (${others.join(', ')}), not of this one (${library}). Nothing was changed. ` +
        `Put the ${what} of this library back. To open the other library here, delete library.json, which names this one.`,
    )
  }
}

/** Throws ForeignLibraryError if a log names libraries, but not this one. A log behind a checkpoint names none. */
export function demandOwnLog(log: LibraryLog, library: string): void {
  const others = new Set<string>()
  for (const named of namesIn(log)) {
    if (named === library) return
    others.add(named)
  }
  if (others.size > 0) throw new ForeignLibraryError('log', library, [...others])
}

/**
 * The libraries that a log names, in order: that of its first entry, and those that copies of it became. Only a folder
 * without a name takes one of them, because every member of a team can write such an entry.
 */
function* namesIn(log: LibraryLog): Generator<string> {
  for (const item of log.read(logStart)) {
    if (item.kind === 'fault') continue
    for (const change of item.entry.changes) if (change.kind === 'library_named') yield change.library
  }
}

/** Creates the log of a new library. */
export function createLog({ folder, log, now }: LibraryContext): void {
  const library = randomUUID()
  log.append(logStart, [{ kind: 'library_named', library, at: now().toISOString() }])
  writeName(folder, library)
}

/** Writes `library.json` with the name in the index, in the log, or in a checkpoint. Throws LibraryDamagedError. */
export async function findName({ folder, log, checkpoints }: LibraryContext): Promise<void> {
  const [indexed, named] = [nameIn(databaseFiles(folder).index), [...namesIn(log)]]
  const isOfLog = indexed !== null && (named.length === 0 || named.includes(indexed))
  const library = (isOfLog ? indexed : named.at(-1)) ?? (await nameInCheckpoint(folder, checkpoints))
  if (library === null) throw new LibraryDamagedError()
  writeName(folder, library)
}

function nameIn(indexFile: string): string | null {
  const index = inspectIndex(indexFile)
  return index.kind === 'usable' ? index.library : null
}

/** The log of a member begins behind the checkpoint that it has joined with, so a backup of it has the name nowhere else. */
async function nameInCheckpoint(folder: string, checkpoints: LibraryContext['checkpoints']): Promise<string | null> {
  const copy = join(folder, 'checkpoints', `${unfinished}${randomUUID()}.db`)
  try {
    return (await checkpoints.unpackNewest(copy, { schema: 'any' })) === null ? null : nameIn(copy)
  } finally {
    await removeDatabase(copy)
  }
}
