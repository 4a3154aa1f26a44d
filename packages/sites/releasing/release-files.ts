import { Readable } from 'node:stream'
import type { IndexReads, Vault } from '@galley/library'
import { forEachConcurrently } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { ReleaseFile } from './release-record.ts'
import type { OutgoingRelease } from './target-port.ts'
import type { TextStore } from './text-store.ts'

/** Where the bytes of releases are stored. */
export interface ReleaseSources {
  readonly index: Pick<IndexReads, 'blobs'>
  readonly vault: Pick<Vault, 'read'>
  readonly texts: TextStore
}

/** Reads some of the bytes of a file of any release. */
export const releaseReader =
  ({ index, vault, texts }: ReleaseSources): OutgoingRelease['read'] =>
  ({ sha256, stored }, offset, sizeBytes) => {
    const place = stored ? index.blobs.find(sha256 as Sha256) : null
    if (place) return vault.read({ ...place, offset: place.offset + offset, sizeBytes })
    return Readable.from(
      (async function* () {
        const bytes = stored ? null : await texts.read(sha256)
        if (bytes === null) throw new CausedError(cause('file_missing'))
        yield bytes.subarray(offset, offset + sizeBytes)
      })(),
    )
  }

const readsAtOnce = 16

/** Whether all bytes of a release are still stored. */
export async function isKept(files: readonly ReleaseFile[], { index, texts }: ReleaseSources): Promise<boolean> {
  if (files.some(({ sha256, stored }) => stored && index.blobs.find(sha256 as Sha256) === null)) return false
  const made = new Set(files.filter(({ stored }) => !stored).map(({ sha256 }) => sha256))
  let isWhole = true
  // Those that another member of a team has published are fetched here.
  await forEachConcurrently([...made], readsAtOnce, new AbortController().signal, async (sha256) => {
    if (isWhole && !(await texts.has(sha256))) isWhole = false
  })
  return isWhole
}
