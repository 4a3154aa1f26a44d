import type { ExportFailure, FileCounts } from '@galley/library/records'
import { bundlePath, compare } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { BundleFile } from './content.ts'
import { mapInParallel } from './in-parallel.ts'
import type { Ownership } from './ownership.ts'
import type { TargetFolder } from './target-folder.ts'
import type { Watch } from './watch.ts'

export interface Comparison {
  /** Files that are absent or differ, in bundle order. */
  readonly wanted: readonly BundleFile[]
  /** The wanted files that are absent. */
  readonly added: ReadonlySet<string>
  /** Our files that the bundle no longer has, pages before the files they refer to. */
  readonly stale: readonly string[]
  /** With a thorough check: files that have changed since the last export. */
  readonly wrong: readonly string[]
  readonly counts: FileCounts
}

/** How many files are checked concurrently. */
const checksAtOnce = 8

/** How closely a target is checked. */
export interface CheckOptions {
  /** Reads every file, even if its size matches. */
  readonly isThorough: boolean
  readonly watch: Watch
  /** Decides what is ours; without it, a folder with other content is refused. */
  readonly publication?: {
    readonly owner: string
    ownershipOf(target: TargetFolder): Promise<Ownership>
  }
}

/**
 * Compares a folder with a bundle. Fails, before anything is written, if a foreign file is in the way.
 *
 * Compares what is on disk, not what was once written: texts are read and hashed each time. Stored files can be large,
 * so a stored file that the last export finished is trusted if its size matches; any other is hashed. A thorough check
 * hashes all of them.
 */
export async function compareFolder(
  target: TargetFolder,
  files: readonly BundleFile[],
  { finished, paths, unfinished }: Ownership,
  { isThorough, watch }: CheckOptions,
): Promise<Result<Comparison, ExportFailure>> {
  const journal = await target.inspect(bundlePath.journal)
  if (journal.kind === 'blocked') return fail({ code: 'unsafe_target', path: journal.path, found: journal.found })

  const wanted: BundleFile[] = []
  const added = new Set<string>()
  const wrong: string[] = []
  const counts = { files: files.length, added: 0, changed: 0, removed: 0, unchanged: 0, bytes: 0 }
  const readPlace = target.createPlaceReader()
  const found = await mapInParallel(checksAtOnce, files, async (file, at) => {
    if (isThorough) watch('verifying', at, files.length, 'files')
    // Files left by an interrupted export may match neither record and still be correct.
    const before = unfinished ? undefined : finished.get(file.path)
    const place = await readPlace(file.path)
    if (place.kind !== 'file') return { file, before, place, trusted: false, hash: null }
    const trusted = !isThorough && file.kind === 'blob' && finished.get(file.path)?.sha256 === file.sha256
    const isRead = place.sizeBytes === file.bytes ? !trusted : isThorough && place.sizeBytes === before?.bytes
    return { file, before, place, trusted, hash: isRead ? await target.hash(file.path) : null }
  })
  for (const { file, before, place, trusted, hash } of found) {
    counts.bytes += file.bytes
    if (place.kind === 'blocked') return fail({ code: 'unsafe_target', path: place.path, found: place.found })
    if (place.kind === 'free') {
      counts.added++
      added.add(file.path)
      wanted.push(file)
      if (isThorough && before !== undefined) wrong.push(file.path)
      continue
    }
    // The manifest has already been read, so it is known to be ours.
    if (!paths.has(file.path) && file.path !== bundlePath.manifest)
      return fail({ code: 'foreign_file', path: file.path })
    const same = place.sizeBytes === file.bytes && (trusted || hash === file.sha256)
    if (same) counts.unchanged++
    else {
      counts.changed++
      wanted.push(file)
      if (isThorough && before !== undefined && hash !== before.sha256) wrong.push(file.path)
    }
  }

  const kept = new Set([...files.map(({ path }) => path), bundlePath.journal])
  const stale: string[] = []
  for (const path of [...paths].filter((owned) => !kept.has(owned))) {
    const place = await target.inspect(path)
    // Following a link would delete a foreign file. A link or folder in the file's place is no longer ours.
    if (place.kind === 'file') stale.push(path)
    else if (place.kind === 'blocked' && place.path !== path)
      return fail({ code: 'unsafe_target', path: place.path, found: place.found })
  }
  stale.sort((a, b) => Number(isPage(b)) - Number(isPage(a)) || compare(a, b))
  return ok({ wanted, added, stale, wrong, counts: { ...counts, removed: stale.length } })
}

const isPage = (path: string): boolean => path.endsWith('.html')
