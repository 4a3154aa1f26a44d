import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { syncFileNow, syncFolderNow } from '../../platform/disk/sync-folder.ts'
import type { LibraryLog } from '../log/log.ts'
import { logStart } from '../log/mark.ts'
import { convertLibrary } from './before-log/convert.ts'
import type { Checkpoints } from './checkpoints.ts'
import { removeDatabase, unfinished } from './checkpoints.ts'
import { NewerLibraryError } from './database/migrate.ts'
import { databaseFiles, inspectIndex } from './database/open.ts'
import { assertNoOtherOwner } from './owner.ts'

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

/** The origin of a library's log: it existed, was written from an index without one, or the library is new. */
export type LogOrigin = 'there' | 'converted' | 'new'

export interface LogContext {
  readonly folder: string
  readonly log: LibraryLog
  readonly checkpoints: Checkpoints
  /** The log is a copy: the bucket of a team has all of it. */
  readonly isCopy: boolean
  readonly now: () => Date
}

/**
 * Creates the log of a library that has none. Returns the library's name. Throws LibraryDamagedError and LibraryServedError.
 */
export async function ensureLog({
  folder,
  log,
  checkpoints,
  isCopy,
  now,
}: LogContext): Promise<{ library: string; origin: LogOrigin }> {
  if (log.exists()) return { library: await nameOf(folder, log, checkpoints), origin: 'there' }
  const found = inspectIndex(databaseFiles(folder).index)
  // An index built from a log remains usable without it: `rebuild --from index` rewrites the log.
  if (found.kind === 'usable') return { library: found.library, origin: 'there' }
  if (found.kind === 'before_log') {
    assertNoOtherOwner(folder)
    const library = await convertLibrary(folder, randomUUID, now().toISOString())
    writeName(folder, library)
    return { library, origin: 'converted' }
  }
  if (found.kind !== 'absent' || existsSync(nameFile(folder)) || hasStoredFiles(folder))
    throw new LibraryDamagedError(isCopy)
  const library = randomUUID()
  log.append(logStart, [{ kind: 'library_named', library, at: now().toISOString() }])
  writeName(folder, library)
  return { library, origin: 'new' }
}

/** Whether the folder contains files of a library. */
function hasStoredFiles(folder: string): boolean {
  const files = join(folder, 'files')
  return (
    existsSync(files) &&
    readdirSync(files, { recursive: true, withFileTypes: true }).some(
      (found) => found.isFile() && /^[0-9a-f]{64}$/.test(found.name),
    )
  )
}

const nameFile = (folder: string): string => join(folder, 'library.json')

/** Reads the name from `library.json`; without it, from the index, from the log, or from a checkpoint. */
async function nameOf(folder: string, log: LibraryLog, checkpoints: Checkpoints): Promise<string> {
  const written = writtenName(folder)
  if (written !== null) return written
  const [indexed, named] = [nameIn(databaseFiles(folder).index), [...namesIn(log)]]
  const isOfLog = indexed !== null && (named.length === 0 || named.includes(indexed))
  const library = (isOfLog ? indexed : named.at(-1)) ?? (await nameInCheckpoint(checkpoints))
  if (library === null) throw new LibraryDamagedError()
  writeName(folder, library)
  return library
}

function nameIn(indexFile: string): string | null {
  const index = inspectIndex(indexFile)
  return index.kind === 'usable' ? index.library : null
}

/** The log of a member begins behind the checkpoint that it has joined with, so a backup of it has the name nowhere else. */
async function nameInCheckpoint(checkpoints: Checkpoints): Promise<string | null> {
  const copy = join(checkpoints.folder, `${unfinished}${randomUUID()}.db`)
  try {
    return (await checkpoints.unpackNewest(copy, { schema: 'any' })) === null ? null : nameIn(copy)
  } finally {
    await removeDatabase(copy)
  }
}

/** The name in `library.json`; null if the file is missing or damaged. Throws NewerLibraryError. */
export function writtenName(folder: string): string | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(nameFile(folder), 'utf8'))
  } catch {
    return null
  }
  const { library, format } = Object(parsed) as { readonly library?: unknown; readonly format?: unknown }
  if (typeof format === 'number' && format > 1) throw new NewerLibraryError('its folder')
  return typeof library === 'string' ? library : null
}

export function writeName(folder: string, library: string): void {
  const file = nameFile(folder)
  writeFileSync(`${file}.new`, `${JSON.stringify({ library, format: 1 })}\n`, { mode: 0o600 })
  syncFileNow(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncFolderNow(folder)
}
