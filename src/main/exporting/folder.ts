import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { ExportFailure } from '../../contract/bundle/failure.ts'
import { journalPath, journalText } from '../../contract/bundle/journal.ts'
import { compare } from '../../contract/bundle/order.ts'
import { bundlePath } from '../../contract/bundle/paths.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Bundle, BundleFile } from './bundle.ts'
import { bytesOf } from './bundle.ts'
import { compareFolder } from './compare-folder.ts'
import type { Counts } from './counts.ts'
import type { Disk } from './disk.ts'
import { inParallel } from './in-parallel.ts'
import { readOwnership } from './ownership.ts'
import { createTargetFolder, foldersOf } from './target-folder.ts'

/** How many stored files are copied at once: enough for their syncs to share a trip to the disk. */
const copies = 8

/**
 * Brings a folder to a bundle, writing only what differs. The order makes every moment safe: stored files under names
 * made from their hash, styles, each page by rename, the manifest, and only then removals, so that at each moment every
 * page is whole and finds its files. A journal holds what is ours meanwhile; a later run takes up from there.
 */
export async function writeFolder(
  directory: string,
  bundle: Bundle,
  disk: Disk,
): Promise<Result<Counts, ExportFailure>> {
  const given = resolve(directory)
  // The folder itself may be a link, since the caller named it; nothing below it may.
  const found = await disk.look(given)
  const root = found === null ? given : await realpath(given)
  if (found !== null && (await disk.look(root))?.kind !== 'folder') {
    return fail({ kind: 'not_ours', target: directory, problem: 'is not a folder' })
  }
  const target = createTargetFolder(root, disk)
  const none = { finished: new Map(), paths: new Set<string>(), unfinished: false }
  const owned = found === null ? ok(none) : await readOwnership(target)
  if (!owned.ok) return fail({ kind: 'not_ours', target: directory, problem: owned.failure })

  const compared = await compareFolder(target, bundle.files, owned.value)
  if (!compared.ok) return compared
  const { counts, wanted, stale } = compared.value
  if (found !== null) await target.clean(owned.value.unfinished ? foldersOf(owned.value.paths) : [])
  if (wanted.length === 0 && stale.length === 0 && !owned.value.unfinished) return ok(counts)

  const paths = new Set([...owned.value.paths, ...bundle.files.map(({ path }) => path)])
  await target.makeFolder('')
  const journal = await target.put(journalPath, bytesOf(journalText([...paths].toSorted(compare))))
  if (journal !== null) return fail(journal)
  await target.syncFolder('')

  const folders = foldersOf(wanted.map(({ path }) => path))
  for (const folder of folders) await target.makeFolder(folder)
  const put = async (file: BundleFile): Promise<ExportFailure | null> => {
    if (file.kind === 'blob') {
      const blob = file.open()
      return target.put(file.path, blob.chunks, blob.failure)
    }
    const text = await file.text()
    return text.ok ? target.put(file.path, bytesOf(text.value)) : text.failure
  }
  const blobs = wanted.filter(({ kind }) => kind === 'blob')
  const damaged = await inParallel(copies, blobs, put)
  if (damaged !== null) return fail(damaged)
  for (const folder of foldersOf(blobs.map(({ path }) => path))) await target.syncFolder(folder)
  for (const file of wanted.filter(({ kind }) => kind === 'text')) {
    // What the manifest names has to be on the disk before it is.
    if (file.path === bundlePath.manifest) for (const folder of ['', ...folders]) await target.syncFolder(folder)
    const failure = await put(file)
    if (failure !== null) return fail(failure)
  }
  for (const folder of ['', ...folders]) await target.syncFolder(folder)

  for (const path of stale) await target.remove(path)
  const emptied = owned.value.unfinished ? owned.value.paths : stale
  for (const folder of foldersOf(emptied)) await target.removeFolder(folder)
  await target.remove(journalPath)
  await target.syncFolder('')
  return ok(counts)
}
