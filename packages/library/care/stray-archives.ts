import { open, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isSystemError, temporaryFolder, unlessNoRoom } from '@galley/platform'
import type { Sha256 } from '@galley/wire'
import { archiveLimits } from '@galley/wire'

import type { CarePorts } from './ports.ts'

/**
 * Stored archives that name a person and that no version uses, such as that of a lost entry: their paths, among the files
 * of the library and in `lost-and-found`. Includes those that cannot be read.
 */
export async function strayArchives(ports: CarePorts, email: string, signal: AbortSignal): Promise<readonly string[]> {
  const { folder, vault } = ports
  const unreferenced = await vault.stillUnreferenced(
    (await vault.unreferenced(Number.POSITIVE_INFINITY, signal)).files,
    signal,
  )
  const aside = join(folder, 'lost-and-found')
  const set = (await readdir(aside).catch(() => [])).map((name) => ({
    sha256: name as Sha256,
    path: join(aside, name),
  }))
  const naming: string[] = []
  for (const each of [...unreferenced.files.map((sha256) => ({ sha256, path: vault.pathOf(sha256) })), ...set]) {
    signal.throwIfAborted()
    if (await mayName(ports, each, email)) naming.push(resolve(each.path))
  }
  return naming
}

interface FoundFile {
  readonly sha256: Sha256
  readonly path: string
}

async function mayName({ workers }: CarePorts, { sha256, path }: FoundFile, email: string): Promise<boolean> {
  const sizeBytes = await zipSize(path)
  if (sizeBytes === null) return false
  const stagingDir = await temporaryFolder('galley-copy-', sizeBytes).catch(unlessNoRoom)
  if (stagingDir === null) return true
  try {
    const archive = { path, sha256, sizeBytes }
    const { result } = await workers.run({ kind: 'cleanArchive', archive, stagingDir, limits: archiveLimits, email })
    return !result.ok || result.value.kept !== null
  } finally {
    await rm(stagingDir, { recursive: true, force: true })
  }
}

/** null if the file is no ZIP archive, or gone. */
async function zipSize(path: string): Promise<number | null> {
  try {
    await using handle = await open(path)
    const start = Buffer.alloc(4)
    await handle.read(start, 0, 4, 0)
    return start.equals(Buffer.from('PK\u0003\u0004')) ? (await handle.stat()).size : null
  } catch (error) {
    if (isSystemError(error)) return null
    throw error
  }
}
