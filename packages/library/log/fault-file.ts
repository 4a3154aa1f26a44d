import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolderNow } from '@galley/platform'

import type { LogFault } from './read-log.ts'

/**
 * Copies the bytes of a damaged line to `lost-and-found` and syncs them before it returns, since the next entry of the
 * log may overwrite the line. Throws disk errors.
 */
export function keepDamagedLine(
  libraryFolder: string,
  { bytes, segment, offset }: Pick<LogFault, 'bytes' | 'segment' | 'offset'>,
): void {
  if (bytes === undefined) return
  const folder = join(libraryFolder, 'lost-and-found')
  // Another line may be damaged at the same offset later.
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const file = join(folder, `log-${segment}-${offset}-${hash}.jsonl`)
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, bytes, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  syncFolderNow(folder)
  syncFolderNow(libraryFolder)
}
