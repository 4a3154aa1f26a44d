import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { LogFault } from './log.ts'

/** Keeps the bytes of a damaged line in `lost-and-found`, once; throws what the disk throws. */
export function keepDamagedLine(
  libraryFolder: string,
  { bytes, segment, offset }: Pick<LogFault, 'bytes' | 'segment' | 'offset'>,
): void {
  if (bytes === undefined) return
  const folder = join(libraryFolder, 'lost-and-found')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `log-${segment}-${offset}.jsonl`)
  try {
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Kept when it was found first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
