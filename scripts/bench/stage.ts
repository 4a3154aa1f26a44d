/** What every bench plays on: a throw-away folder, the service and one listener; all of it is gone afterwards. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startService, stopService } from '../runtime/processes.ts'
import { startListener, type Answered, type Listener, type Team } from './listener.ts'
import { makeSave, type Save } from './save.ts'

/** What every bench is told. */
export interface BenchOptions {
  /** A folder on the disk that is measured. */
  readonly root: string
  readonly isQuick: boolean
  /** Flags for the listener's own process, for looking into it. */
  readonly nodeFlags: readonly string[]
  /** A command that runs the listener. */
  readonly below?: readonly string[]
  /** The library becomes one of a team. */
  readonly team?: Team
}

/** A save that was taken. */
export interface Accepted extends Answered {
  /** The longest the listener's event loop stood still meanwhile. */
  readonly stallMs: number
}

export interface Stage {
  readonly folder: string
  /** Where the service finds archives. */
  readonly archives: string
  readonly serviceUrl: string
  readonly listener: Listener
  /** Sends a save that has to be taken; throws when it is not. */
  readonly accepted: (save: Save) => Promise<Accepted>
}

const serviceScript = join(import.meta.dirname, 'service.ts')

/** Sets the stage for as long as `play` takes. */
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
      // What stood still before, beside the work of this script, is not the listener's doing.
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

/** One small save: the listener's thread has started and its parsers are loaded, as with every save but the first. */
export async function warmUp({ archives, accepted }: Stage): Promise<void> {
  await accepted(makeSave(archives, 'warm-up', { files: 3, fileBytes: 16 * 1024, method: 'deflated' }))
}
