import { createHash } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

import type { ExportFailure } from '../../contract/bundle/failure.ts'
import type { Result } from '../../contract/result.ts'
import { fail } from '../../contract/result.ts'
import { tryExclusive } from '../db/exclusive-file.ts'
import type { ExportTarget } from './export-bundle.ts'

/**
 * Runs an export as the only one into its target, on this machine and for this user; a process that dies leaves no lock. The
 * lock lies in the folder for temporary files: the target holds the bundle and nothing else.
 */
export async function aloneInTarget<Value>(
  target: ExportTarget,
  work: () => Promise<Result<Value, ExportFailure>>,
): Promise<Result<Value, ExportFailure>> {
  const path = await realPath(resolve(target.kind === 'folder' ? target.directory : target.file))
  const folder = join(tmpdir(), `galley-exports-${userInfo().uid}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = tryExclusive(join(folder, `${createHash('sha256').update(path).digest('hex')}.db`), 0)
  if (lock === null) return fail({ kind: 'target_busy' })
  try {
    return await work()
  } finally {
    lock.close()
  }
}

/** One path by whatever links it is reached; what is not there yet is named below its nearest folder. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await realPath(parent), basename(path))
  }
}
