import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Environment } from './galley-process.ts'

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

/** The built `odd-disk.c`, once for all tests of a file. */
let built: string | null = null

function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-odd-disk-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const library = join(folder, 'odd-disk.so')
  const source = fileURLToPath(new URL('odd-disk.c', import.meta.url))
  const ran = spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (ran.status !== 0) throw new Error(ran.stderr.toString())
  return library
}

/** The environment of a process for which these calls below `folder` fail with an error. */
export const oddDisk = (folder: string, calls: readonly Call[], error: keyof typeof constants.errno): Environment => ({
  LD_PRELOAD: (built ??= build()),
  ODD_FOLDER: folder,
  ODD_CALLS: calls.map((call) => letters[call]).join(''),
  ODD_ERRNO: String(constants.errno[error]),
})
