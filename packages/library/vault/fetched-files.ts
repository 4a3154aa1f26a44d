import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sha256 } from '@galley/wire'

import { newFetchPath } from './staging.ts'
import { filePath } from './vault.ts'

/**
 * Where a member of a team puts the files that it fetches. `isReadOnly`: nothing can be written to the library, so that they
 * are kept in a temporary folder until it is closed.
 */
export function fetchedFiles(folder: string, isReadOnly: boolean) {
  const ownPath = (file: Sha256): string => filePath(folder, file)
  if (!isReadOnly) return { pathOf: ownPath, fetchPath: () => newFetchPath(folder), close: () => Promise.resolve() }
  let made: string | null = null
  const spare = (): string => (made ??= mkdtempSync(join(tmpdir(), 'galley-files-')))
  return {
    pathOf: (file: Sha256): string => (existsSync(ownPath(file)) ? ownPath(file) : join(spare(), file)),
    fetchPath: (target: string): string => (dirname(target) === made ? join(made, randomUUID()) : newFetchPath(folder)),
    async close(): Promise<void> {
      if (made !== null) await rm(made, { recursive: true, force: true })
    },
  }
}
