import { randomBytes } from 'node:crypto'

/** The command that writes it. A check may run during a publication, so neither deletes the other's file. */
type Kind = 'probe' | 'check'

/** The path of a small file that is written to a target for a moment, to see whether readers get it at the address of its folder. */
export const probeFile = (kind: Kind): string => `galley-${kind}-${randomBytes(8).toString('hex')}/index.html`

/** Whether a name is that of the folder of such a file: a process was killed before it deleted it. */
export const isProbeFolder = (name: string): boolean => /^galley-(?:probe|check)-[0-9a-f]{16}$/.test(name)

/** The start of the names of such folders of the same kind. */
export const probeStart = (path: string): string => path.slice(0, path.lastIndexOf('-') + 1)

/** Whether a name is that of the folder of another such file of the same kind. */
export const leftBeside =
  (path: string) =>
  (name: string): boolean =>
    isProbeFolder(name) && name.startsWith(probeStart(path))
