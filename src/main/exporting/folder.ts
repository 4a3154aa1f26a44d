import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { ExportFailure } from '../../contract/bundle/failure.ts'
import { journalPath, journalText } from '../../contract/bundle/journal.ts'
import { compare } from '../../contract/bundle/order.ts'
import { bundlePath } from '../../contract/bundle/paths.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Bundle, BundleFile, WrittenBundle } from './bundle.ts'
import { bytesOf, contentOf } from './bundle.ts'
import { compareFolder } from './compare-folder.ts'
import type { Comparison, Look } from './compare-folder.ts'
import type { Disk } from './disk.ts'
import { inParallel } from './in-parallel.ts'
import type { Ownership } from './ownership.ts'
import { readOwnership } from './ownership.ts'
import type { StagedFile, TargetFolder } from './target-folder.ts'
import { createTargetFolder, foldersOf } from './target-folder.ts'
import type { Watch } from './watch.ts'

/** How many stored files are copied at once: enough for their syncs to share a trip to the disk. */
const copies = 8

/** A folder held against a bundle: what writing would do, and where. */
interface FolderPlan extends Comparison {
  readonly target: TargetFolder
  readonly owned: Ownership
  readonly isThere: boolean
}

/** Looks at the folder without writing anything. */
export async function planFolder(
  directory: string,
  bundle: Bundle,
  disk: Disk,
  look: Look,
): Promise<Result<FolderPlan, ExportFailure>> {
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
  const compared = await compareFolder(target, bundle.files, owned.value, look)
  return compared.ok ? ok({ ...compared.value, target, owned: owned.value, isThere: found !== null }) : compared
}

/**
 * Brings a folder to a bundle, writing only what differs. The order makes every moment safe: stored files under names
 * made from their hash, styles, each page by rename, the manifest, and only then removals, so that at each moment every
 * page is whole and finds its files. A run that is cancelled, or fails, has changed no page and no manifest: all texts are
 * written beside their places first. A journal holds what is ours meanwhile; a later run takes up from there.
 */
export async function writeFolder(
  directory: string,
  bundle: Bundle,
  disk: Disk,
  look: Look,
): Promise<Result<WrittenBundle, ExportFailure>> {
  const { isThorough, watch } = look
  const planned = await planFolder(directory, bundle, disk, look)
  if (!planned.ok) return planned
  const { counts, wanted, stale, wrong, target, owned, isThere } = planned.value
  if (isThere) await target.clean(owned.unfinished ? foldersOf(owned.paths) : [])
  if (wanted.length === 0 && stale.length === 0 && !owned.unfinished) return ok({ counts, wrong })

  const paths = new Set([...owned.paths, ...bundle.files.map(({ path }) => path)])
  await target.makeFolder('')
  const journal = await target.put(journalPath, bytesOf(journalText([...paths].toSorted(compare))))
  if (journal !== null) return fail(journal)
  await target.syncFolder('')

  const folders = foldersOf(wanted.map(({ path }) => path))
  for (const folder of folders) await target.makeFolder(folder)
  let written = 0
  const tell = (): void => watch('writing', written++, wanted.length, 'files')
  const blobs = wanted.filter((file) => file.kind === 'blob')
  const damaged = await inParallel(copies, blobs, async (file) => {
    tell()
    const blob = file.open()
    return target.put(file.path, blob.chunks, blob.failure)
  })
  if (damaged !== null) return fail(damaged)
  for (const folder of foldersOf(blobs.map(({ path }) => path))) await target.syncFolder(folder)

  const staged: { readonly path: string; readonly file: StagedFile }[] = []
  try {
    for (const { path, text } of wanted.filter((file) => file.kind === 'text')) {
      tell()
      const content = await text()
      if (!content.ok) return content
      staged.push({ path, file: await target.stage(path, bytesOf(content.value)) })
    }
    // From here on nobody is asked any more: what is left are renames.
    for (const { path, file } of staged) {
      // What the manifest names has to be on the disk before it is.
      if (path === bundlePath.manifest) for (const folder of ['', ...folders]) await target.syncFolder(folder)
      await file.place()
    }
  } finally {
    for (const { file } of staged) await file.drop()
  }
  for (const folder of ['', ...folders]) await target.syncFolder(folder)

  const lost = isThorough ? await writeAgain(target, wanted, watch) : ok([])
  if (!lost.ok) return lost
  for (const path of stale) await target.remove(path)
  const emptied = owned.unfinished ? owned.paths : stale
  for (const folder of foldersOf(emptied)) await target.removeFolder(folder)
  await target.remove(journalPath)
  await target.syncFolder('')
  return ok({ counts, wrong: [...new Set([...wrong, ...lost.value])] })
}

/** Reads back what was just written, and writes once more what the disk did not keep; gives the paths of that. */
async function writeAgain(
  target: TargetFolder,
  files: readonly BundleFile[],
  watch: Watch,
): Promise<Result<readonly string[], ExportFailure>> {
  const lost: string[] = []
  for (const [at, file] of files.entries()) {
    watch('verifying', at, files.length, 'files')
    if ((await target.hash(file.path)) === file.sha256) continue
    lost.push(file.path)
    const content = await contentOf(file)
    if (!content.ok) return content
    const failure = await target.put(file.path, content.value.chunks, content.value.failure)
    if (failure !== null) return fail(failure)
    if ((await target.hash(file.path)) !== file.sha256) return fail({ kind: 'unreliable_target', path: file.path })
  }
  return ok(lost)
}
