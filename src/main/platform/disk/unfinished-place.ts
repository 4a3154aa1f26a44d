import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** A name beside a place, for something that moves there when it is whole. */
export interface UnfinishedPlace {
  readonly path: string
  /** Removes what is still unfinished. */
  discard(): Promise<void>
}

/** Where to write what shall stand at `place` only when it is whole. What a killed run has left there is removed. */
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
