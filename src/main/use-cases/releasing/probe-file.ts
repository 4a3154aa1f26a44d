import { randomBytes } from 'node:crypto'

import { isProbeFolder } from '../exporting/ownership.ts'

/** The command that writes it. A check may run during a publication, so neither deletes the other's file. */
type Kind = 'probe' | 'check'

/** The path of a small file that is written to a target for a moment, to see whether readers get it at the address of its folder. */
export const probeFile = (kind: Kind): string => `galley-${kind}-${randomBytes(8).toString('hex')}/index.html`

/** Whether a name is that of the folder of another such file of the same kind: a process was killed before it deleted it. */
export function leftBeside(path: string): (name: string) => boolean {
  const start = path.slice(0, path.lastIndexOf('-') + 1)
  return (name) => isProbeFolder(name) && name.startsWith(start)
}
