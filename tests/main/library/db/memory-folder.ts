import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/**
 * A folder in memory where available, for tests that sync thousands of times without a power failure. Deleted with the test.
 */
export async function memoryFolder(): Promise<string> {
  const folder = await mkdtemp(join(root, 'galley-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
