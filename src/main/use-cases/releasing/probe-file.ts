import { randomBytes } from 'node:crypto'

import { isProbeFile } from '../exporting/ownership.ts'

/** The command that writes it. A check may run during a publication, so neither deletes the other's file. */
type Kind = 'probe' | 'check'

/** The name of a small file that is written to a target for a moment, to see whether readers get it. */
export const probeFile = (kind: Kind): string => `galley-${kind}-${randomBytes(8).toString('hex')}.txt`

/** Whether a name is that of another such file of the same kind: a process was killed before it deleted it. */
export function leftBeside(path: string): (name: string) => boolean {
  const start = path.slice(0, path.lastIndexOf('-') + 1)
  return (name) => isProbeFile(name) && name.startsWith(start)
}
