import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import type { floods } from './floods.ts'

const script = fileURLToPath(new URL('flood-process.ts', import.meta.url))

/** A flood that runs beside this process, so that what it costs its sender is not taken for what it costs its target. */
export interface Flood {
  /** How many connections it had made a moment ago. */
  readonly made: () => number
  /** Ends it, and with it all of its connections. */
  stop(): Promise<void>
}

/** Starts a flood by its name; resolves when its first connections are being made. */
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
