/** The set-up of every bench: a temporary folder, the service and one listener. All of it is removed afterwards. */

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { startService, stopService } from '../runtime/processes.ts'
import { startListener, type Answered, type Listener, type Team } from './listener.ts'
import { makeSave, type Save } from './save.ts'

/** The options of every bench. */
export interface BenchOptions {
  /** A folder on the measured disk. */
  readonly root: string
  readonly isQuick: boolean
  /** Node flags for the listener's process, for profiling. */
  readonly nodeFlags: readonly string[]
  /** A command that runs the listener. */
  readonly below?: readonly string[]
  /** The library becomes a team library. */
  readonly team?: Team
}

/** An accepted save. */
export interface Accepted extends Answered {
  /** The longest stall of the listener's event loop during the save. */
  readonly stallMs: number
}

export interface Stage {
  readonly folder: string
  /** The folder in which the service finds archives. */
  readonly archives: string
  readonly serviceUrl: string
  readonly listener: Listener
  /** Sends a save that must be accepted; throws otherwise. */
  readonly accepted: (save: Save) => Promise<Accepted>
}

const serviceScript = join(import.meta.dirname, 'service.ts')

/** Provides the stage while `play` runs. */
export async function withStage<Value>(
  { root, nodeFlags, below, team }: BenchOptions,
  play: (stage: Stage) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(root, 'stage-'))
  const archives = join(folder, 'archives')
  mkdirSync(archives)
  const service = startService(process.execPath, [serviceScript, archives], ['pipe', 'pipe', 'inherit'])
  try {
    if (service.stdout === null) throw new Error('The service has no output')
    const [serviceUrl] = (await once(createInterface(service.stdout), 'line')) as [string]
    const listener = await startListener(folder, serviceUrl, nodeFlags, below, team)
    const accepted = async (save: Save) => {
      // Discards earlier stalls: this script's own work may have caused them.
      await listener.longestStallMs()
      const answered = await listener.save(save)
      if (answered.rc !== 1) throw new Error(`A save was not taken: ${String(answered.rm)}`)
      return { ...answered, stallMs: await listener.longestStallMs() }
    }
    try {
      return await play({ folder, archives, serviceUrl, listener, accepted })
    } finally {
      await listener.stop()
    }
  } finally {
    await stopService(service)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A small first save starts the listener's thread and loads its parsers. Later saves still get faster, while V8 optimizes. */
export async function warmUp({ archives, accepted }: Stage): Promise<void> {
  await accepted(makeSave(archives, 'warm-up', { files: 3, fileBytes: 16 * 1024, method: 'deflated' }))
}
