import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Environment } from './galley-process.ts'
import { temporaryFolder } from './test-galley.ts'

/** Whether the system can build `odd-disk.c`, which only works on Linux. */
export const hasOddDisk = process.platform === 'linux' && spawnSync('gcc', ['--version']).status === 0

type Call = 'sync folder' | 'sync file' | 'change mode' | 'lock' | 'share memory'
const letters: Readonly<Record<Call, string>> = {
  'sync folder': 'd',
  'sync file': 'f',
  'change mode': 'c',
  lock: 'l',
  'share memory': 'm',
}

/** Builds `odd-disk.c`. Returns the environment of a process for which these calls below `folder` fail with an error. */
export async function oddDisk() {
  const library = join(await temporaryFolder(), 'odd-disk.so')
  const source = fileURLToPath(new URL('odd-disk.c', import.meta.url))
  const built = spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (built.status !== 0) throw new Error(built.stderr.toString())
  return (folder: string, calls: readonly Call[], error: keyof typeof constants.errno): Environment => ({
    LD_PRELOAD: library,
    ODD_FOLDER: folder,
    ODD_CALLS: calls.map((call) => letters[call]).join(''),
    ODD_ERRNO: String(constants.errno[error]),
  })
}
