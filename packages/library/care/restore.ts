import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileSlice } from '@galley/platform'
import {
  diskSpace,
  isFreePath,
  isSystemError,
  makeFolder,
  syncFolder,
  unfinishedFolder,
  withoutLinks,
} from '@galley/platform'
import { cause, fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'

import { databaseFiles, prepareLocal } from '../db/database/open.ts'
import { NewerLibraryError } from '../db/database/other-versions.ts'
import { takeLocal } from '../db/local-copy.ts'
import { openCheckpoints } from '../db/open/checkpoints.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import { openLibrary } from '../db/open/open-library.ts'
import type { Rebuilt } from '../db/open/rebuild.ts'
import { hasValuesOfLog } from '../db/open/values-of-log.ts'
import { openLog } from '../log/log.ts'
import type { RestoreReport } from '../records/care-reports.ts'
import { readSiteInput, siteInputOf } from '../records/site-input.ts'
import type { Site } from '../records/site.ts'
import { forgetLocalChoices } from '../settings/confirmed-sites.ts'
import type { BackupManifest } from './backup-format.ts'
import { checkpointPath, localPath, manifestPath, promisedEntries } from './backup-format.ts'
import { logFaults } from './log-faults.ts'
import type { TakeEntry } from './read-backup.ts'
import { openBackup, readBackup } from './read-backup.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

export interface RestoreRequest {
  readonly file: string
  readonly folder: string
  readonly now: () => Date
}

type Made = Pick<RestoreReport, 'materials' | 'versions' | 'sitesWithoutSecret'>

const shards = '0123456789abcdef'.split('').map((digit) => join('files', digit))

/**
 * Restores a backup to a new or empty folder. Compares every byte with the manifest and the log with its hashes, and builds
 * the index from the log, before the folder appears at its path. Settings, keychain marks and confirmations are never
 * restored.
 */
export function restore(
  { file, folder, now }: RestoreRequest,
  run: CareRun,
): Promise<Result<RestoreReport, CareFailure>> {
  return asCareResult(run, async () => {
    const place = await withoutLinks(folder)
    if (!(await isFreePath(place))) return fail({ code: 'folder_not_empty' })
    const backup = await openIfThere(file)
    if (!backup) return fail({ code: 'not_a_backup' })
    await using handle = backup
    const opened = await openBackup(handle)
    if (!opened.ok) return opened
    const { manifest } = opened.value
    const bytes = promisedEntries(manifest).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

    await makeFolder(dirname(place))
    const unfinished = await unfinishedFolder(place, 'log')
    try {
      if ((await diskSpace(unfinished.path)).freeBytes < bytes)
        return fail({ code: 'file_failed', reason: cause('no_room') })
      const folders = ['log', 'checkpoints', 'files', ...shards]
      for (const each of folders) await mkdir(join(unfinished.path, each), { mode: 0o700 })
      const unpacked = await readBackup(handle, opened.value, writerInto(unfinished.path), run, 'writing')
      if (!unpacked.ok) return unpacked
      const made = await makeLibrary(unfinished.path, manifest, now, run).catch(unlessNewer)
      if (!made.ok) return made
      for (const each of [...folders, '']) await syncFolder(join(unfinished.path, each))
      await unfinished.finish()
      const damaged = manifest.files.filter(({ sha256 }) => sha256 !== undefined).map(({ name }) => name)
      const { created_at: backedUpAt, missing, files } = manifest
      return ok({
        backedUpAt,
        files: files.length,
        bytes,
        ...made.value,
        missing,
        damaged,
        withFiles: !manifest.without_files,
      })
    } finally {
      await unfinished.discard()
    }
  })
}

async function openIfThere(file: string) {
  try {
    return await open(resolve(file))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw error
  }
}

/** How many files are synced concurrently. */
const syncsAtOnce = 16

/** The temporary name of the restored `local.db`, before its data is copied. */
const backedUpLocal = 'backed-up-local.db'

function placeOf(path: string): string {
  if (path === localPath) return backedUpLocal
  return path.startsWith('files/') ? join('files', basename(path).charAt(0), basename(path)) : path
}

/** Writes each entry to the place that its path determines. The manifest check has validated the paths. */
function writerInto(folder: string): TakeEntry {
  const syncs = new Set<Promise<void>>()
  let problem: unknown = null
  return async ({ path }, chunks) => {
    // The manifest is last: after it, all entries are on disk.
    if (path === manifestPath) {
      for await (const _chunk of chunks);
      await Promise.all(syncs)
    } else {
      const handle = await open(join(folder, placeOf(path)), 'wx', 0o600)
      try {
        for await (const chunk of chunks) await handle.appendFile(chunk)
      } finally {
        const sync = syncAndClose(handle)
          .catch((error: unknown) => void (problem ??= error))
          .finally(() => syncs.delete(sync))
        syncs.add(sync)
      }
      if (syncs.size >= syncsAtOnce) await Promise.race(syncs)
    }
    if (problem !== null) throw problem
  }
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unlessNewer(error: unknown): Result<never, CareFailure> {
  if (error instanceof NewerLibraryError) return fail({ code: 'newer_library' })
  throw error
}

/** Builds a library from the contents of a backup. Throws NewerLibraryError. */
async function makeLibrary(
  folder: string,
  manifest: BackupManifest,
  now: () => Date,
  { signal }: CareRun,
): Promise<Result<Made, CareFailure>> {
  const { local } = databaseFiles(folder)
  const log = openLog(folder)
  const faults = await logFaults({ log, checkpoints: openCheckpoints(folder, log) }, signal)
  if (faults.some(({ kind }) => kind === 'newer')) return fail({ code: 'newer_library' })
  const hasCheckpoint = manifest.parts.some(({ path }) => path.startsWith(checkpointPath('')))
  const [fault] = faults
  if (fault && !hasCheckpoint)
    return fail({ code: 'damaged_backup', what: `entry ${fault.position} of its log differs from what was written` })
  const isLogEnough = !fault && log.segments()[0] === 1
  // A checkpoint takes precedence over the log before it.
  if (isLogEnough && hasCheckpoint)
    return fail({ code: 'damaged_backup', what: 'it contains a checkpoint that its log does not need' })
  prepareLocal(local)
  if (!takeLocal(join(folder, backedUpLocal), local))
    return fail({ code: 'damaged_backup', what: 'its callbacks cannot be read' })
  await rm(join(folder, backedUpLocal))
  signal.throwIfAborted()
  return openRestored({ folder, manifest, isLogEnough }, now, signal)
}

/** The unpacked parts of a library. Its checkpoint replaces missing entries of its log. */
interface Unpacked {
  readonly folder: string
  readonly manifest: BackupManifest
  readonly isLogEnough: boolean
}

async function openRestored(
  unpacked: Unpacked,
  now: () => Date,
  signal: AbortSignal,
): Promise<Result<Made, CareFailure>> {
  const { folder, manifest } = unpacked
  const library = await openLibrary(folder, now, () => undefined)
  const { index, notes } = library
  const rebuilt = notes.find((note) => note.kind === 'rebuilt')?.report
  try {
    const what =
      (await whyOtherThanLogged(unpacked, library, rebuilt, signal)) ??
      unusableSite(index.sites.list()) ??
      missingFiles(manifest, index.blobs.files())
    if (what !== null) return fail({ code: 'damaged_backup', what })
    index.callbacks.closeInterrupted()
    // Two libraries with the same keychain names would overwrite each other's secrets.
    library.becomeAnother()
    forgetLocalChoices(index.settings)
    return ok({ ...index.counts(), sitesWithoutSecret: index.sites.list().map(({ id }) => id) })
  } finally {
    library.close()
  }
}

/** Why the index differs from the log and checkpoint of the backup, or null. */
async function whyOtherThanLogged(
  { folder, manifest, isLogEnough }: Unpacked,
  { index }: OpenedLibrary,
  rebuilt: Rebuilt | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (!isLogEnough) {
    // Faults may be anywhere, so only a checkpoint at the very end is after all of them.
    const isBehindFaults = rebuilt?.unapplied.every(({ kind }) => kind === 'contradicts')
    if (rebuilt?.fromCheckpoint == null || !isBehindFaults) return 'its checkpoint cannot be used'
    if (!(await hasValuesOfLog(databaseFiles(folder).index, signal)))
      return 'its checkpoint has a different form than Galley writes'
  }
  return index.commit.mark().position === manifest.position ? null : 'its log ends too early'
}

const addresses = ['baseUrl', 'callbackUrl', 'publicUrl', 'downloadOrigins'] as const

/** Site settings are used unchecked in many places, because they were validated when saved. */
function unusableSite(sites: readonly Site[]): string | null {
  for (const site of sites) {
    const read = readSiteInput(siteInputOf(site))
    // A URL that parses differently from how it is written was never validated.
    const field = read.ok
      ? addresses.find((each) => String(read.value[each]) !== String(site[each]))
      : read.failure.field
    if (field !== undefined) return `its site ${site.id} has a ${field} that Galley never stores`
  }
  return null
}

function missingFiles(
  manifest: BackupManifest,
  named: readonly Pick<FileSlice, 'file' | 'sizeBytes'>[],
): string | null {
  if (manifest.without_files) return null
  const bytes = new Map(
    manifest.files.map(({ name, bytes, sha256 }) => [name, sha256 === undefined ? bytes : Infinity]),
  )
  for (const name of manifest.missing) bytes.set(name, Infinity)
  return named.some(({ file, sizeBytes }) => (bytes.get(file) ?? -1) < sizeBytes)
    ? 'it refers to files that it does not contain'
    : null
}
