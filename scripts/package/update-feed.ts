/** The feed of newer versions: one signed file beside the packages. */

import type { KeyObject } from 'node:crypto'
import { createHash, createPrivateKey } from 'node:crypto'
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Release, ReleaseFile } from '../../packages/update/feed.ts'
import { readFeed, signFeed } from '../../packages/update/feed.ts'
import { sourceFrom } from '../../packages/update/source.ts'
import { Unavailable } from '../runtime/unavailable.ts'

export const feedName = 'updates.json'

interface Given extends Pick<Release, 'version' | 'date' | 'news'> {
  /** The folder with the packages, which gets the feed. */
  readonly folder: string
  /** The private key as PEM (PKCS#8, Ed25519). */
  readonly key: string
  /** The public keys that the packages were built with: a feed that they refuse is not written. */
  readonly keys: readonly string[]
}

/** Which apps a package replaces, by its name. */
function systemsOf(name: string): readonly string[] {
  const kind = name.endsWith('.AppImage')
    ? 'appimage'
    : name.endsWith('.exe')
      ? 'nsis'
      : /mac.*\.zip$/.test(name)
        ? 'mac'
        : null
  if (kind === null) return []
  const all = name.includes('universal') ? ['x64', 'arm64'] : [name.includes('arm64') ? 'arm64' : 'x64']
  return all.map((arch) => `${kind}-${arch}`)
}

async function sha512Of(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** What Node says of a text that is none is not shown: it may quote the text. */
function privateKey(text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch {
    throw new Unavailable('Key', 'GALLEY_UPDATE_SIGNING_KEY is not a private key as PEM.')
  }
}

/** Writes the feed of the packages in a folder, and returns the names of those that the app installs itself. */
export async function writeFeed({ folder, version, date, news, key, keys }: Given): Promise<readonly string[]> {
  const files: ReleaseFile[] = []
  for (const name of readdirSync(folder).toSorted())
    for (const system of name.includes(version) ? systemsOf(name) : [])
      files.push({ system, name, size: statSync(join(folder, name)).size, sha512: await sha512Of(join(folder, name)) })
  const feed = signFeed({ version, date, news, files }, privateKey(key))
  if (!readFeed(feed, keys).ok)
    throw new Unavailable('Key', 'it does not belong to the public keys in GALLEY_UPDATE_KEYS.')
  writeFileSync(join(folder, feedName), feed)
  return files.map(({ name }) => name)
}

/** The address and keys of updates for a package, from the environment; null: not set, and updates are off. */
export function givenSource(environment: NodeJS.ProcessEnv) {
  const { GALLEY_UPDATE_FEED: feed, GALLEY_UPDATE_KEYS: keys } = environment
  if (!feed && !keys) return null
  const source = sourceFrom({ feed, keys: keys?.split(',') })
  if (source === null)
    throw new Unavailable(
      'Updates',
      'GALLEY_UPDATE_FEED is an https address, and GALLEY_UPDATE_KEYS two public keys in Base64 with a comma between them (SECURITY.md).',
    )
  return source
}
