import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** A temporary path next to a target path, renamed to it when complete. */
export interface UnfinishedPlace {
  readonly path: string
  /** Removes the unfinished file or folder. */
  discard(): Promise<void>
}

/** A temporary path for something that must appear at `place` only when complete. Removes leftovers of a killed run. */
export async function unfinishedBeside(place: string): Promise<UnfinishedPlace> {
  const folder = dirname(resolve(place))
  const start = `.${basename(resolve(place))}.`
  const isUnfinished = (name: string): boolean =>
    name.startsWith(start) && /^[0-9a-f]{16}\.galley-tmp$/.test(name.slice(start.length))
  for (const name of await readdir(folder)) {
    if (isUnfinished(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
  const path = join(folder, `${start}${randomBytes(8).toString('hex')}.galley-tmp`)
  return { path, discard: () => rm(path, { recursive: true, force: true }) }
}
