import { createHash } from 'node:crypto'
import type { IndexReads, IndexWith, PublicFile, Publisher, Vault } from '@galley/library'
import { mayRunOnServer, publishPlace } from '@galley/library/records'
import type { Republished, Site } from '@galley/library/records'
import type { FileSlice } from '@galley/platform'
import { foldersOf, isStorageFault, isTooLong, storageCause } from '@galley/platform'
import type { Sha256, SiteId } from '@galley/wire'
import { currentFontsCssPath, encodeSegment, fontsCssName, fontsPath, mediaPath } from '@galley/wire'

import { isInside, namesIn } from './public-path.ts'

/** How many files are published together: each folder is synced once for them. */
const filesAtOnce = 64

export interface RepublishPorts {
  readonly index: IndexWith<'followTeam'>
  readonly vault: Pick<Vault, 'locate' | 'read'>
  readonly publisher: Publisher
}

type Wanted = Omit<PublicFile, 'slice'>

/** Whether a site has moved to a target that lacks the files of its earlier saves. */
export const hasMoved = ({ materials }: IndexReads, before: Site | null, { id, publish }: Site): boolean =>
  before !== null &&
  publish.kind !== 'listener' &&
  publishPlace(before.publish) !== publishPlace(publish) &&
  materials.hasAny(id)

/**
 * Publishes the media and fonts of all saves of a site, as the saves did, to a target that is new or has lost files.
 * Files that are already there stay; those that a web server must not have in a folder are withheld. `onProgress` receives the number of finished files and their total.
 */
export async function republish(
  { index, vault, publisher }: RepublishPorts,
  { id: site, publish: { kind } }: Site,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<Republished> {
  const lost: string[] = []
  let [files, bytes] = [0, 0]
  async function publish(wanted: readonly Wanted[]): Promise<void> {
    const some: PublicFile[] = []
    for (const file of wanted) {
      signal.throwIfAborted()
      const slice = index.blobs.find(file.sha256)
      // Deleted since the list was read.
      if (slice === null) continue
      if (await isIntact(vault, slice, file.sha256)) some.push({ ...file, slice })
      else lost.push(file.path)
    }
    const publication = await publisher.publish(some)
    await publication.settle('stored')
    files += some.length
    for (const { slice } of some) bytes += slice.sizeBytes
  }

  const named = publicFilesOf(index, site)
  const unfit = unfitPaths(named, kind === 'folder')
  const wanted = named.filter(({ path }) => !unfit.has(path))
  for (let at = 0; at < wanted.length; at += filesAtOnce) {
    await publish(wanted.slice(at, at + filesAtOnce))
    onProgress(Math.min(at + filesAtOnce, wanted.length), wanted.length)
  }
  // Last, and again if the fonts have changed meanwhile: a save may have published newer ones.
  for (let shown: Sha256 | null = null; ;) {
    // Another member of a team may have stored them.
    await index.followTeam?.()
    const css = index.snapshots.newest(site)?.css ?? null
    if (css === null || css === shown) return { files, bytes, lost, withheld: [...unfit] }
    await publish([{ path: currentFontsCssPath(site), sha256: css, immutable: false }])
    shown = css
  }
}

/**
 * The paths of files that cannot be published. Saves into a folder give other names to files that its web server would run
 * and to those that no disk can hold (`withStoredNames`); saves that were stored for the listener or a bucket did not.
 */
function unfitPaths(files: readonly Wanted[], isFolder: boolean): ReadonlySet<string> {
  const placeOf = (path: string): string => namesIn(path).join('/')
  const places = new Set(files.flatMap(({ path }) => (isInside(path) ? [placeOf(path)] : [])))
  function isFit(path: string): boolean {
    if (!isInside(path) || !isFolder) return isInside(path)
    const [place, name] = [placeOf(path), decodeURIComponent(path.split('/').at(-1) ?? '')]
    return !mayRunOnServer(name) && !isTooLong(place) && !foldersOf(place).some((folder) => places.has(folder))
  }
  return new Set(files.flatMap(({ path }) => (isFit(path) ? [] : [path])))
}

/** Causes that mean that a file is lost, unlike a disk or a bucket that cannot be read now. */
const losses: ReadonlySet<string> = new Set(['file_missing', 'file_altered', 'team_file_missing', 'team_file_changed'])

/** Whether the library has these bytes. A member of a team fetches what it does not have. */
async function isIntact(vault: RepublishPorts['vault'], slice: FileSlice, sha256: Sha256): Promise<boolean> {
  try {
    await vault.locate(slice)
    const hash = createHash('sha256')
    for await (const chunk of vault.read(slice)) hash.update(chunk as Buffer)
    return hash.digest('hex') === sha256
  } catch (error) {
    if (isStorageFault(error) && losses.has(storageCause(error).code)) return false
    throw error
  }
}

function publicFilesOf({ versions, snapshots }: IndexReads, site: SiteId): readonly Wanted[] {
  const file = (path: string, sha256: Sha256): Wanted => ({ path, sha256, immutable: true })
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
  return [...versions.allMediaOfSite(site).map(({ name, sha256 }) => file(mediaPath(sha256, name), sha256)), ...sets]
}
