/** Runs one torture in a temporary folder and removes everything afterwards. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { scratchFolder } from '../runtime/project.ts'
import { NotHeld, type Torture, type Verdict } from './torture.ts'

export interface TortureOptions {
  readonly size?: number
  readonly seed?: number
  readonly twin?: string | null
  readonly patience?: number
  readonly say?: (text: string) => void
}

/** Runs with the same seed send the same requests; only the timing differs. */
export const usualSeed = 20_261_122

/** Runs to the end, or until something throws. Everything that was started is stopped, newest first. */
export async function runTorture(torture: Torture, options: TortureOptions = {}): Promise<Verdict> {
  const { size = torture.size.long, seed = usualSeed, twin = null, patience = 1, say = () => undefined } = options
  mkdirSync(scratchFolder, { recursive: true })
  const folder = mkdtempSync(join(scratchFolder, `torture-${torture.name}-`))
  const ends: (() => Promise<void>)[] = []
  try {
    return await torture.run({ size, seed, twin, patience, folder, say, atEnd: (end) => void ends.push(end) })
  } catch (error) {
    if (!(error instanceof NotHeld)) throw error
    return { figures: {}, broken: [error.message] }
  } finally {
    for (const end of ends.toReversed()) await end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
