/** Starts background processes on a specific processor core, where the system allows it. */

import type { StdioOptions } from 'node:child_process'
import { availableParallelism } from 'node:os'

import { onPath, startService } from '../runtime/processes.ts'

/** Whether processes can be pinned to cores: there is a command for it, and a second core. */
export const canPin = process.platform === 'linux' && onPath('taskset') !== null && availableParallelism() > 1

/** Like `startService`, but on this core, or on any core where processes cannot be pinned. */
export function startPinned(core: number, script: readonly string[], stdio: StdioOptions, env = process.env) {
  if (!canPin) return startService(process.execPath, script, stdio, env)
  return startService('taskset', ['--cpu-list', String(core), process.execPath, ...script], stdio, env)
}
