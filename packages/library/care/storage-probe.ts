import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { access, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { demandWritable } from '../db/open/open-library.ts'
import type { LibraryLog } from '../log/log.ts'
import type { Vault } from '../vault/vault.ts'

/** Enough that a quota, or a disk with a few blocks left, refuses it. */
const probeBytes = 256 * 1024
/** The descriptors that a save may have open at once. */
const descriptorsOfASave = 16

/**
 * Writes what a save writes, as far as that leaves nothing behind: a file beside the log and one in staging, both synced. Opens
 * the newest part of the log for writing, and as many descriptors as a save. Throws the error of the first step that fails.
 */
export async function probeStorage(
  folder: string,
  log: Pick<LibraryLog, 'folder' | 'segments' | 'fileOf'>,
  vault: Pick<Vault, 'stageFiles' | 'discardFiles'>,
): Promise<void> {
  demandWritable(folder)
  const files = join(folder, 'files')
  for (const shard of await readdir(files)) await access(join(files, shard), constants.W_OK)
  const newest = log.segments().at(-1)
  if (newest !== undefined) await (await open(log.fileOf(newest), 'r+')).close()
  const beside = join(log.folder, 'probe')
  try {
    await writeSynced(beside)
  } finally {
    await rm(beside, { force: true })
  }
  const staging = await vault.stageFiles()
  try {
    const staged = join(staging.folder, `${staging.prefix}probe`)
    await writeSynced(staged)
    await openOften(staged)
  } finally {
    await vault.discardFiles(staging)
  }
}

async function writeSynced(path: string): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  await file.writeFile(Buffer.alloc(probeBytes, 1))
  await file.datasync()
}

async function openOften(path: string): Promise<void> {
  const handles: FileHandle[] = []
  try {
    for (let count = 0; count < descriptorsOfASave; count += 1) handles.push(await open(path, 'r'))
  } finally {
    for (const handle of handles) await handle.close()
  }
}
