import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  createZip,
  diskSpace,
  hasRoom,
  isStorageFault,
  makeFolder,
  realDisk,
  syncFolder,
  unfinishedBeside,
} from '@galley/platform'
import { cause, fail, ok } from '@galley/wire'
import type { Result, Sha256 } from '@galley/wire'

import { databaseFiles } from '../db/database/open.ts'
import { readIndexCopy } from '../db/index-copy.ts'
import { isInLibrary } from '../folder.ts'
import type { BackupReport } from '../records/care-reports.ts'
import type { BackupManifest } from './backup-format.ts'
import {
  backupComment,
  backupFormat,
  checkpointPath,
  filePath,
  localPath,
  manifestPath,
  promisedEntries,
  segmentPath,
  spanOf,
} from './backup-format.ts'
import { logFaults } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import { scratchOf } from './ports.ts'
import { findManifest, openBackup, readBackup } from './read-backup.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

/** Free space that a backup leaves for other writes. */
const spareBytes = 64 * 1024 ** 2

export interface BackupOptions {
  readonly file: string
  /** False: includes only the log and the callbacks. */
  readonly withFiles: boolean
}

/**
 * Backs up the current state of the library to one file. Saves continue meanwhile and are not included. The whole file is
 * read back before it replaces an earlier backup.
 */
export function backUp(
  ports: CarePorts,
  { file, withFiles }: BackupOptions,
  run: CareRun,
): Promise<Result<BackupReport, CareFailure>> {
  const { vault } = ports
  return asCareResult(run, async () => {
    if (await isInLibrary(dirname(resolve(file)))) return fail({ code: 'not_ours', state: 'in_library' })
    if (!(await mayReplace(file))) return fail({ code: 'not_ours', state: 'backup' })
    await makeFolder(dirname(resolve(file)), 0o700)
    // Taken before the copy of the index, so that its files stay until they are in the backup.
    const release = await vault.share()
    // For the copy, and a checkpoint that is unpacked.
    const staging = await scratchOf(ports, 2, [dirname(resolve(file))])
    const unfinished = await unfinishedBeside(file)
    try {
      const moment = await takeMoment(ports, staging, run)
      if (moment === null) return fail({ code: 'log_mismatch' })
      const files = withFiles ? moment.files : []
      const needed = [...files, ...moment.parts].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      if ((await diskSpace(dirname(resolve(file)))).freeBytes < needed + spareBytes)
        return fail({ code: 'file_failed', reason: cause('no_room') })

      await using handle = await open(unfinished.path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
      const manifest = await write(handle, { moment: { ...moment, files }, withFiles, vault, at: ports.now() }, run)
      const opened = await openBackup(handle)
      const verified = opened.ok ? await readBackup(handle, opened.value, drain, run, 'verifying') : opened
      if (!verified.ok) return verified
      const { size: bytes } = await handle.stat()
      await rename(unfinished.path, resolve(file))
      await syncFolder(dirname(resolve(file)))
      await leaveCheckpoint(ports, run)
      const damaged = manifest.files.filter(({ sha256 }) => sha256 !== undefined).map(({ name }) => name)
      const { materials, versions } = moment
      const { missing, created_at: at, files: held } = manifest
      return ok({ at, files: held.length, bytes, materials, versions, missing, damaged, withFiles })
    } finally {
      await unfinished.discard()
      await vault.discard(staging)
      release()
    }
  })
}

/** A rebuild starts from it. The backup is complete: a checkpoint that fails, is stopped or has no room is left out. */
async function leaveCheckpoint({ folder, library, index }: CarePorts, { signal }: CareRun): Promise<void> {
  const [newest] = await library.checkpoints.positions()
  if (library.state !== 'whole' || newest === index.commit.mark().position) return
  const { size } = await stat(databaseFiles(folder).index)
  if (!(await hasRoom(folder, 2 * size + spareBytes))) return
  try {
    await library.writeCheckpoint(signal)
  } catch (error) {
    if (!signal.aborted && !isStorageFault(error)) throw error
  }
}

/** A part of the library besides its files: the current length of an append-only file, or a copy. */
interface Part {
  readonly path: string
  readonly source: string
  readonly sizeBytes: number
}

/** The state of the library at one position of its log. */
interface Moment {
  readonly position: number
  readonly parts: readonly Part[]
  readonly files: readonly BackupFile[]
  readonly materials: number
  readonly versions: number
}

/** null if the log does not contain the last entry of the index: such a backup could not be restored. */
async function takeMoment({ library, index }: CarePorts, staging: string, run: CareRun): Promise<Moment | null> {
  const copy = join(staging, 'index.db')
  const local = join(staging, localPath)
  const onBytes = (done: number, total: number) => run.onProgress({ step: 'copying', done, total, unit: 'bytes' })
  await index.copyTo(copy, onBytes, run.signal)
  await index.copyLocalTo(local, run.signal)
  const { mark, ...contents } = readCopy(copy)
  const { log, checkpoints } = library
  // A member that has joined with a checkpoint has nothing before it.
  const isBegun = index.followTeam !== null && log.segments()[0] === mark.position + 1
  const last = isBegun ? mark.position + 1 : mark.segment
  const segments = log.segments().filter((first) => first <= last)
  // An erase has folded the log since the copy, so no segment has the copied position.
  if (!segments.includes(last)) throw foldedMeanwhile()
  if (log.holds(mark) !== 'holds') return null
  const altered = new Set(log.altered())
  const parts = await Promise.all(
    segments.map(async (first): Promise<Part> => {
      const source = altered.has(first) ? join(staging, basename(log.fileOf(first))) : log.fileOf(first)
      if (altered.has(first)) await writeFile(source, log.bytesOf(first), { mode: 0o600 })
      const end = isBegun ? 0 : mark.end
      const sizeBytes = first === last ? end : (await stat(source)).size
      return { path: segmentPath(basename(source)), source, sizeBytes }
    }),
  )
  // The log is folded or damaged, so only the index has the missing entries. The new copy becomes the checkpoint, because
  // the library's own checkpoints were not verified.
  if (segments[0] !== 1 || (await logFaults(library, run.signal)).length > 0) {
    const source = join(staging, basename(checkpoints.fileOf(mark.position)))
    await pipeline(createReadStream(copy), createGzip(), createWriteStream(source, { mode: 0o600 }), {
      signal: run.signal,
    })
    parts.push({ path: checkpointPath(basename(source)), source, sizeBytes: (await stat(source)).size })
  }
  parts.push({ path: localPath, source: local, sizeBytes: (await stat(local)).size })
  return { ...contents, position: mark.position, parts }
}

/** `code` for `storageReason`. */
const foldedMeanwhile = (): Error => Object.assign(new Error('The log was folded'), { code: 'SQLITE_BUSY' })

/** Whether the path may be overwritten: only an empty file or an earlier backup. */
async function mayReplace(file: string): Promise<boolean> {
  const found = await realDisk.inspect(resolve(file))
  if (found === null) return true
  if (found.kind !== 'file') return false
  if (found.sizeBytes === 0) return true
  await using handle = await open(resolve(file))
  return (await findManifest(handle)) !== null
}

/** Reads the facts from the copy of the index. */
function readCopy(copy: string) {
  const { mark, counts, files } = readIndexCopy(copy)
  return { mark, ...counts, files: files.toSorted((one, other) => (one.file < other.file ? -1 : 1)) }
}

interface Writing {
  readonly moment: Moment
  readonly withFiles: boolean
  readonly vault: CarePorts['vault']
  readonly at: Date
}

async function write(
  handle: FileHandle,
  { moment: { position, parts, files }, withFiles, vault, at }: Writing,
  { signal, onProgress }: CareRun,
): Promise<BackupManifest> {
  const zip = createZip(handle)
  const total = [...parts, ...files].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let done = 0
  const add = async (path: string, chunks: AsyncIterable<Buffer>, sizeBytes: number): Promise<string> => {
    const hash = createHash('sha256')
    await zip.add(path, sizeBytes, watched(chunks))
    return hash.digest('hex')

    async function* watched(all: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
      for await (const chunk of all) {
        signal.throwIfAborted()
        hash.update(chunk)
        yield chunk
        done += chunk.length
        onProgress({ step: 'writing', done, total: Math.max(total, done), unit: 'bytes' })
      }
    }
  }

  const writtenParts: BackupManifest['parts'] = []
  for (const { path, source, sizeBytes } of parts) {
    const bytes = sizeBytes === 0 ? only(Buffer.alloc(0)) : createReadStream(source, { end: sizeBytes - 1 })
    writtenParts.push({ path, bytes: sizeBytes, sha256: await add(path, bytes, sizeBytes) })
  }
  const written: BackupManifest['files'] = []
  const missing: string[] = []
  for (const { file } of files) {
    await vault.ensureLocal(file)
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) {
      missing.push(file)
      continue
    }
    const sha256 = await add(filePath(file), vault.read({ file, offset: 0, sizeBytes }), sizeBytes)
    written.push({ name: file, bytes: sizeBytes, ...(sha256 !== file && { sha256 }) })
  }
  const manifest: BackupManifest = {
    format: backupFormat,
    version: 1,
    created_at: at.toISOString(),
    position,
    parts: writtenParts,
    without_files: !withFiles,
    files: written,
    missing,
  }
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`)
  const offset = promisedEntries(manifest).reduce(
    (sum, entry) => sum + spanOf(entry),
    spanOf({ path: manifestPath, sizeBytes: 0 }),
  )
  await add(manifestPath, only(text), text.length)
  await zip.finish(backupComment({ offset, sizeBytes: text.length }))
  await handle.sync()
  return manifest
}

interface BackupFile {
  readonly file: Sha256
  readonly sizeBytes: number
}

// oxlint-disable-next-line typescript/require-await -- what takes it waits for each piece
async function* only(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes
}

const drain = async (_entry: unknown, chunks: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _chunk of chunks);
}
