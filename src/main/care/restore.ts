import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import type { RestoreReport } from '../../contract/care-reports.ts'
import { cause } from '../../contract/cause.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Index } from '../db/library-index.ts'
import { createIndex } from '../db/library-index.ts'
import { MigrationError, NewerLibraryError } from '../db/migrate.ts'
import { diskSpace } from '../disk/disk-space.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { syncFolder } from '../disk/sync-folder.ts'
import { isSystemError } from '../disk/system-error.ts'
import { unfinishedBeside } from '../disk/unfinished-place.ts'
import { realDisk } from '../exporting/disk.ts'
import type { BackupManifest } from './backup-format.ts'
import { indexPath } from './backup-format.ts'
import type { TakeEntry } from './read-backup.ts'
import { openBackup, readBackup } from './read-backup.ts'
import { forgetConfirmations } from '../sites/confirmations.ts'
import { checkName } from './remembered.ts'
import type { CareFailure, CareRun } from './run.ts'
import { careful } from './run.ts'

/**
 * Makes a library out of a backup, in a folder that is not there or empty. Every byte is compared with the manifest, and
 * the index with itself, before the folder takes its place; until then nothing is to be seen of it.
 */
export function restore(
  { file, folder }: { readonly file: string; readonly folder: string },
  run: CareRun,
): Promise<Result<RestoreReport, CareFailure>> {
  const place = resolve(folder)
  return careful(run, async () => {
    if (!(await isFree(place))) return fail({ kind: 'folder_not_empty' })
    const backup = await openIfThere(file)
    if (!backup) return fail({ kind: 'not_a_backup' })
    await using handle = backup
    const opened = await openBackup(handle)
    if (!opened.ok) return opened
    const { manifest } = opened.value
    const bytes = manifest.files.reduce((sum, each) => sum + each.bytes, manifest.index.bytes)

    await makeFolder(dirname(place))
    if ((await diskSpace(dirname(place))).freeBytes < bytes)
      return fail({ kind: 'file_failed', reason: cause('no_room') })
    const unfinished = await unfinishedBeside(place)
    try {
      const folders = ['files', ...'0123456789abcdef'.split('').map((digit) => join('files', digit))]
      for (const each of ['', ...folders]) await mkdir(join(unfinished.path, each), { mode: 0o700 })
      const unpacked = await readBackup(handle, opened.value, writerInto(unfinished.path), run, 'writing')
      if (!unpacked.ok) return unpacked
      const found = settleIndex(join(unfinished.path, indexPath), manifest, run.signal)
      if (!found.ok) return found
      await syncFile(join(unfinished.path, indexPath))
      for (const each of [...folders, '']) await syncFolder(join(unfinished.path, each))
      await rmdir(place).catch(() => undefined)
      await rename(unfinished.path, place)
      await syncFolder(dirname(place))
      const damaged = manifest.files.filter(({ sha256 }) => sha256 !== undefined).map(({ name }) => name)
      const { created_at: backedUpAt, missing, files } = manifest
      return ok({ backedUpAt, files: files.length, bytes, ...found.value, missing, damaged })
    } finally {
      await unfinished.discard()
    }
  })
}

async function isFree(folder: string): Promise<boolean> {
  const found = await realDisk.look(folder)
  return found === null || (found.kind === 'folder' && (await readdir(folder)).length === 0)
}

async function openIfThere(file: string) {
  try {
    return await open(resolve(file))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw error
  }
}

/** How many files wait for the disk at once. */
const syncsAtOnce = 16

/** Writes each entry to its place, which follows from its name; the names were checked with the manifest. */
function writerInto(folder: string): TakeEntry {
  const syncs = new Set<Promise<void>>()
  let problem: unknown = null
  return async ({ path }, chunks) => {
    const name = basename(path)
    // The manifest comes last: when it has been taken, everything is on the disk.
    const isManifest = path !== indexPath && !path.startsWith('files/')
    if (isManifest) {
      for await (const _chunk of chunks);
      await Promise.all(syncs)
    } else {
      const target = path === indexPath ? join(folder, name) : join(folder, 'files', name.charAt(0), name)
      const handle = await open(target, 'wx', 0o600)
      try {
        for await (const chunk of chunks) await handle.appendFile(chunk)
      } finally {
        const sync = handle
          .sync()
          .then(() => handle.close())
          .catch((error: unknown) => void (problem ??= error))
          .finally(() => syncs.delete(sync))
        syncs.add(sync)
      }
      if (syncs.size >= syncsAtOnce) await Promise.race(syncs)
    }
    if (problem !== null) throw problem
  }
}

/** Checks the index of a restored library, and makes the library one of its own. */
function settleIndex(
  file: string,
  manifest: BackupManifest,
  signal: AbortSignal,
): Result<Pick<RestoreReport, 'materials' | 'versions' | 'sitesWithoutSecret'>, CareFailure> {
  let index: Index
  try {
    index = createIndex(file, () => undefined)
  } catch (error) {
    if (error instanceof NewerLibraryError) return fail({ kind: 'newer_library' })
    if (error instanceof MigrationError) return fail({ kind: 'migration_failed' })
    throw error
  }
  try {
    const known = new Set([...manifest.files.map(({ name }) => name), ...manifest.missing])
    for (const table of index.consistency.tables()) {
      signal.throwIfAborted()
      if (index.consistency.quickCheck(table) !== 'ok' || index.consistency.brokenReferences(table).length > 0)
        return fail({ kind: 'damaged_backup', what: `the table ${table} of its index contradicts itself` })
    }
    if (index.blobs.files().some((named) => !known.has(named.file)))
      return fail({ kind: 'damaged_backup', what: 'its index names files that it does not have' })
    index.callbacks.closeInterrupted()
    // Two libraries that shared places in the keychain would take each other's secrets away.
    index.settings.put('library', randomUUID())
    index.sites.forgetSecrets()
    forgetConfirmations(index.settings)
    // It was about files in another place.
    index.settings.forget(checkName)
    return ok({ ...index.counts(), sitesWithoutSecret: index.sites.list().map(({ id }) => id) })
  } finally {
    index.close()
  }
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r+')
  await handle.sync()
}
