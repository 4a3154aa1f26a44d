import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reachOf } from '@galley/wire'
import { z } from 'zod'

import { feedKey } from './feed.ts'

/** The file beside the app's archive that the build of a package writes. */
export const sourceFile = 'updates.json'

const isKey = (key: string): boolean => {
  try {
    return feedKey(key).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

/** Files are signed, but without TLS anybody on the way could keep a computer from ever seeing a newer version. */
function isSafe(feed: string): boolean {
  const url = URL.parse(feed)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && reachOf(url.hostname) === 'machine')
}

const sourceForm = z.object({
  /** The address of the feed; packages are beside it. */
  feed: z.string().max(2_000).refine(isSafe),
  /** The public key of the releases, and one in reserve: 32 bytes each, in Base64. */
  keys: z.tuple([z.string().refine(isKey), z.string().refine(isKey)]).refine(([one, other]) => one !== other),
})

/** Where newer versions are, and who signs them. Set when a package is built. */
export type UpdateSource = z.infer<typeof sourceForm>

/** The same from what a build was given; null if that is not complete. */
export function sourceFrom(given: { readonly feed: unknown; readonly keys: unknown }): UpdateSource | null {
  const read = sourceForm.safeParse(given)
  return read.success ? read.data : null
}

/** Of the app whose resources are in this folder; null: it was built without. */
export function readSource(resources: string): UpdateSource | null {
  try {
    return sourceFrom(JSON.parse(readFileSync(join(resources, sourceFile), 'utf8')) as UpdateSource)
  } catch {
    return null
  }
}
