import { existsSync } from 'node:fs'
import { constants, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { syncFolder } from '@galley/platform'

import { copyIndex } from '../copy.ts'
import { databaseFiles, olderSchema } from '../database/open.ts'

/**
 * Copies log, index and `local.db` of a library that an older Galley wrote, before this one brings them to its schema. Once for
 * each schema: an update that was cut off finds the copy from before it. Returns its name, or null. Throws errors of the disk.
 */
export async function copyBeforeUpdate(folder: string): Promise<string | null> {
  const { index, local } = databaseFiles(folder)
  const log = join(folder, 'log')
  // Such a library is refused and stays as it is, and SQLite leaves files beside what it reads.
  if (!existsSync(index) && !existsSync(log)) return null
  const schema = olderSchema({ index, local })
  if (schema === null) return null
  const target = join(folder, `update.set-aside-${schema}`)
  if (existsSync(target)) return null
  const unfinished = `${target}.new`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(join(unfinished, 'log'), { recursive: true, mode: 0o700 })
  for (const file of [index, local])
    if (existsSync(file))
      await copyIndex(file, join(unfinished, basename(file)), () => undefined, new AbortController().signal)
  // Without a second set of bytes where the disk can share them.
  for (const name of existsSync(log) ? await readdir(log) : [])
    await copyFile(join(log, name), join(unfinished, 'log', name), constants.COPYFILE_FICLONE)
  await syncFolder(join(unfinished, 'log'))
  await syncFolder(unfinished)
  await rename(unfinished, target)
  await syncFolder(folder)
  return basename(target)
}
