import type { Sha256, SiteId } from '../../../contract/ids.ts'
import {
  currentFontsCssPath,
  encodeSegment,
  fontsCssName,
  fontsPath,
  mediaPath,
} from '../../../contract/protocol/public-url.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { PublicFile, Publisher } from '../../library/vault/publisher.ts'
import type { Vault } from '../../library/vault/vault.ts'

/** How many files are published together: each folder is synced once for them. */
const filesAtOnce = 64

interface Ports {
  readonly index: Index
  readonly vault: Pick<Vault, 'locate'>
  readonly publisher: Publisher
}

/**
 * Publishes the media and fonts of all saves of a site, as the saves did: for a target that is new, or that has lost files. What
 * is there already stays.
 */
export async function republish(
  { index, vault, publisher }: Ports,
  site: SiteId,
  signal: AbortSignal,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const wanted = publicFilesOf(index, site)
  let [files, bytes] = [0, 0]
  for (let at = 0; at < wanted.length; at += filesAtOnce) {
    signal.throwIfAborted()
    const some: PublicFile[] = []
    for (const file of wanted.slice(at, at + filesAtOnce)) {
      const slice = index.blobs.find(file.sha256)
      // Deleted since the list was read.
      if (slice === null) continue
      // A member of a team fetches what it does not have.
      await vault.locate(slice)
      some.push({ ...file, slice })
      bytes += slice.sizeBytes
    }
    const publication = await publisher.publish(some)
    await publication.settle('stored')
    files += some.length
  }
  return { files, bytes }
}

function publicFilesOf({ versions, snapshots }: Index, site: SiteId): readonly Omit<PublicFile, 'slice'>[] {
  const file = (path: string, sha256: Sha256, immutable = true) => ({ path, sha256, immutable })
  const sets = snapshots.list(site).flatMap(({ snapshotId }) => {
    const found = snapshots.find(site, snapshotId)
    const folder = fontsPath(site, snapshotId)
    return found === null
      ? []
      : [
          ...found.files.map(({ name, sha256 }) => file(folder + encodeSegment(name), sha256)),
          file(folder + fontsCssName, found.css),
        ]
  })
  const newest = snapshots.newest(site)
  return [
    ...versions.mediaBroughtTo(site).map(({ name, sha256 }) => file(mediaPath(sha256, name), sha256)),
    ...sets,
    ...(newest === null ? [] : [file(currentFontsCssPath(site), newest.css, false)]),
  ]
}
