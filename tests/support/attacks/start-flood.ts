import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import type { floods } from './floods.ts'

const script = fileURLToPath(new URL('flood-process.ts', import.meta.url))

/** A flood in another process, so that the sender's cost is not counted as the target's. */
export interface Flood {
  /** The number of connections as of a moment ago. */
  readonly made: () => number
  /** Ends the flood and all of its connections. */
  stop(): Promise<void>
}

/** Starts a flood by name. Resolves when it makes its first connections. */
export async function startFlood<Name extends keyof typeof floods>(
  name: Name,
  ...given: Parameters<(typeof floods)[Name]>
): Promise<Flood> {
  const child = spawn(process.execPath, [script, name, JSON.stringify(given)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  let made = 0
  const lines = createInterface({ input: child.stdout }).on('line', (line) => (made = Number(line)))
  await once(lines, 'line')
  return {
    made: () => made,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
