import { createHash } from 'node:crypto'
import { createReadStream, constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import type { BackupReport } from '../../contract/care-reports.ts'
import { cause } from '../../contract/cause.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import { createIndex } from '../db/library-index.ts'
import { diskSpace } from '../disk/disk-space.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { syncFolder } from '../disk/sync-folder.ts'
import { unfinishedBeside } from '../disk/unfinished-place.ts'
import { realDisk } from '../exporting/disk.ts'
import { createZip } from '../exporting/zip-writer.ts'
import type { BackupManifest } from './backup-format.ts'
import { backupComment, filePath, indexPath, manifestPath, promisedEntries, spanOf } from './backup-format.ts'
import type { CarePorts } from './ports.ts'
import { openBackup, readBackup } from './read-backup.ts'
import type { CareFailure, CareRun } from './run.ts'
import { careful } from './run.ts'

/** Room that is left beside a backup, for whatever else is written meanwhile. */
const spareBytes = 64 * 1024 ** 2

/**
 * Writes the library as it is at this moment into one file. Saves go on meanwhile; what they bring is not in it. The file
 * is read again from the first byte to the last before it takes the place of an earlier backup.
 */
export function backUp(
  ports: CarePorts,
  { file }: { readonly file: string },
  run: CareRun,
): Promise<Result<BackupReport, CareFailure>> {
  const { index, vault } = ports
  return careful(run, async () => {
    if (!(await mayReplace(file))) return fail({ kind: 'not_ours' })
    await makeFolder(dirname(resolve(file)))
    // Before the index is copied: what the copy names stays until it is in the backup.
    const release = await vault.share()
    const staging = await vault.stage()
    const unfinished = await unfinishedBeside(file)
    try {
      const copy = join(staging, indexPath)
      const onBytes = (done: number, total: number) => run.onProgress({ step: 'copying', done, total, unit: 'bytes' })
      await index.copyTo(copy, onBytes, run.signal)
      const contents = readCopy(copy)
      const needed = contents.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, (await stat(copy)).size)
      if ((await diskSpace(dirname(resolve(file)))).freeBytes < needed + spareBytes)
        return fail({ kind: 'file_failed', reason: cause('no_room') })

      await using handle = await open(unfinished.path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
      const manifest = await write(handle, { copy, vault, files: contents.files, at: ports.now() }, run)
      const opened = await openBackup(handle)
      const verified = opened.ok ? await readBackup(handle, opened.value, drain, run, 'verifying') : opened
      if (!verified.ok) return verified
      const { size: bytes } = await handle.stat()
      await rename(unfinished.path, resolve(file))
      await syncFolder(dirname(resolve(file)))
      const damaged = manifest.files.filter(({ sha256 }) => sha256 !== undefined).map(({ name }) => name)
      const { materials, versions } = contents
      const { missing, created_at: at, files } = manifest
      return ok({ at, files: files.length, bytes, materials, versions, missing, damaged })
    } finally {
      await unfinished.discard()
      await vault.discard(staging)
      release()
    }
  })
}

/** Nothing, an empty file or an earlier backup may make way; anything else is somebody else's. */
async function mayReplace(file: string): Promise<boolean> {
  const found = await realDisk.look(resolve(file))
  if (found === null) return true
  if (found.kind !== 'file') return false
  if (found.sizeBytes === 0) return true
  await using handle = await open(resolve(file))
  const opened = await openBackup(handle)
  return opened.ok || opened.failure.kind !== 'not_a_backup'
}

/** What the copy of the index says; it is opened like any other, and closed again before it is backed up. */
function readCopy(copy: string) {
  const index = createIndex(copy, () => undefined)
  try {
    return { ...index.counts(), files: index.blobs.files().toSorted((one, other) => (one.file < other.file ? -1 : 1)) }
  } finally {
    index.close()
  }
}

async function write(
  handle: FileHandle,
  { copy, vault, files, at }: { copy: string; vault: CarePorts['vault']; files: readonly NamedFile[]; at: Date },
  { signal, onProgress }: CareRun,
): Promise<BackupManifest> {
  const zip = createZip(handle)
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
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

  const { size: indexBytes } = await stat(copy)
  const index = { bytes: indexBytes, sha256: await add(indexPath, createReadStream(copy), indexBytes) }
  const written: BackupManifest['files'] = []
  const missing: string[] = []
  for (const { file } of files) {
    const sizeBytes = await vault.sizeOf(file)
    if (sizeBytes === null) {
      missing.push(file)
      continue
    }
    const sha256 = await add(filePath(file), vault.read({ file, offset: 0, sizeBytes }), sizeBytes)
    written.push({ name: file, bytes: sizeBytes, ...(sha256 !== file && { sha256 }) })
  }
  const created = { created_at: at.toISOString(), index, files: written, missing }
  const manifest: BackupManifest = { format: 'galley-backup', version: 1, ...created }
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

interface NamedFile {
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
