/** Tells whether the built output matches its sources. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** All inputs of the build. */
const sources = [
  'src',
  'packages',
  'resources',
  'docs/guide',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'editor.vite.config.ts',
  'tsconfig.base.json',
]

/** Written into the output as the last step of a build. Holds the fingerprint of the sources. */
export const stampFile = '.built-from'

/**
 * A fingerprint of all sources by name, time and size. Unlike a comparison of the newest file with the output, it detects
 * deleted files, restored older files and clocks that ran ahead.
 */
export function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const source of sources) visit(join(root, source), source, hash)
  return hash.digest('hex')
}

/** A hash of the contents of everything that decides what main's code does: caches of derived texts count only for it. */
export function sourcesHash(root: string): string {
  const hash = createHash('sha256')
  const files = ['packages', 'src/main'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  for (const file of [...files.toSorted(), 'package-lock.json', 'electron.vite.config.ts'])
    if (!isProse(file) && statSync(join(root, file)).isFile())
      hash.update(
        `${file}\0${createHash('sha256')
          .update(readFileSync(join(root, file)))
          .digest('hex')}\n`,
      )
  return hash.digest('hex')
}

/** Pages for readers change nothing in a build, except the guide. */
const isProse = (name: string): boolean => name.endsWith('.md') && !name.startsWith('docs/guide/')

/** Whether `out/` is missing, incomplete, or was built from other sources than those on disk. */
export function isStale(root: string, out: string = join(root, 'out')): boolean {
  const stamp = join(out, stampFile)
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint(root)
}

function visit(path: string, name: string, hash: ReturnType<typeof createHash>): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || isProse(name)) return
  if (!stats.isDirectory()) {
    hash.update(`${name}\0${stats.mtimeMs}\0${stats.size}\n`)
    return
  }
  for (const entry of readdirSync(path).toSorted()) visit(join(path, entry), `${name}/${entry}`, hash)
}
