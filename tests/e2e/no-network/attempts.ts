import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Neighbour {
  readonly dst: string
}

/**
 * Every address outside this machine that any process in the namespace tried to reach. On the only route out, each
 * destination is a neighbour to resolve first, and the kernel remembers those it did not find.
 */
export async function attemptsOutside(): Promise<readonly string[]> {
  const { stdout } = await run('ip', ['-json', 'neigh', 'show', 'nud', 'all', 'dev', 'out'])
  const found = JSON.parse(stdout) as readonly Neighbour[]
  // A new link sends router solicitations to multicast groups (RFC 4861): from the kernel, not from a program.
  return found.map(({ dst }) => dst).filter((address) => !address.startsWith('ff02:'))
}

/** Disconnects the interface: from here on, the system reports that there is no network. */
export const pullCable = () => run('ip', ['link', 'set', 'out', 'down'])
