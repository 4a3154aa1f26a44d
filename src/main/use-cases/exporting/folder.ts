import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import { compare } from '../../../contract/domain/bundle/order.ts'
import { bundlePath, unfinishedFolder } from '../../../contract/domain/bundle/paths.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import { isInLibrary } from '../../library/folder.ts'
import type { Disk } from '../../platform/disk/disk.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'
import type { Bundle } from './bundle.ts'
import { compareFolder } from './compare-folder.ts'
import type { Comparison, CheckOptions } from './compare-folder.ts'
import type { BundleFile } from './content.ts'
import { bytesOf, contentOf } from './content.ts'
import { inParallel } from './in-parallel.ts'
import { journalText } from './journal.ts'
import type { Ownership } from './ownership.ts'
import { readOwnership } from './ownership.ts'
import type { StagedFile, TargetFolder } from './target-folder.ts'
import { createTargetFolder, foldersOf } from './target-folder.ts'

/** How many files are written concurrently: enough to batch their syncs. */
const copies = 32

/** How many pages take their place before anything else may happen in the process. */
const renamesAtOnce = 500

/** The difference between a folder and a bundle: what writing would change. */
interface FolderPlan extends Comparison {
  readonly files: Bundle['files']
  readonly target: TargetFolder
  readonly owned: Ownership
  readonly isThere: boolean
}

/** Compares the folder with the bundle; writes nothing. */
export async function planFolder(
  directory: string,
  bundle: Bundle,
  disk: Disk,
  checks: CheckOptions,
): Promise<Result<FolderPlan, ExportFailure>> {
  const given = resolve(directory)
  // The root may be a link, since the caller named it; nothing below it may be one.
  const found = await disk.inspect(given)
  const root = found === null ? given : await realpath(given)
  if (found !== null && (await disk.inspect(root))?.kind !== 'folder') {
    return fail({ kind: 'not_ours', target: directory, problem: 'not_folder' })
  }
  // Backups and moves of the library would not treat the pages as a site.
  if (await isInLibrary(root)) return fail({ kind: 'not_ours', target: directory, problem: 'in_library' })
  const target = createTargetFolder(root, disk)
  const none = { finished: new Map(), paths: new Set<string>(), unfinished: false }
  const { publication } = checks
  const read = async () => (publication ? ok(await publication.ownershipOf(target)) : readOwnership(target))
  const owned = found === null ? ok(none) : await read()
  if (!owned.ok) return fail({ kind: 'not_ours', target: directory, problem: owned.failure })
  const compared = await compareFolder(target, bundle.files, owned.value, checks)
  if (!compared.ok) return compared
  return ok({ ...compared.value, files: bundle.files, target, owned: owned.value, isThere: found !== null })
}

/**
 * Updates a folder to match a bundle, writing only what differs, and returns the files that were damaged. The order is safe at every moment: stored files with
 * names made from their hash, then styles, each page by rename, the manifest, and removals last. So every page is
 * always complete and finds its files.
 *
 * All texts are first written to a folder beside them, and read back there if asked. A cancelled or failed run has
 * therefore changed no page and no manifest. A journal records which files are ours meanwhile; a later run continues
 * from it.
 */
export async function writeFolder(
  { files, wanted, added, stale, wrong, target, owned, isThere }: FolderPlan,
  { isThorough, watch, publication }: CheckOptions,
): Promise<Result<readonly string[], ExportFailure>> {
  if (isThere) await target.clean(owned.unfinished ? foldersOf(owned.paths) : [])
  if (wanted.length === 0 && stale.length === 0 && !owned.unfinished) return ok(wrong)

  const paths = new Set([...owned.paths, ...files.map(({ path }) => path)])
  await target.makeFolder('')
  await target.makeUnfinishedFolder()
  await target.put(bundlePath.journal, bytesOf(journalText([...paths].toSorted(compare), publication?.owner)))
  await syncFolders(target, [unfinishedFolder, ''])

  const folders = foldersOf(wanted.map(({ path }) => path))
  let written = 0
  const tell = (): void => watch('writing', written++, wanted.length, 'files')
  /** Files that the disk did not store correctly at the first attempt. */
  const lost: string[] = []
  /** Writes a file beside its place. With a thorough check, reads it back and rewrites it once if necessary. */
  async function staged(file: BundleFile, isLastAttempt = !isThorough): Promise<Result<StagedFile, ExportFailure>> {
    const content = await contentOf(file)
    if (!content.ok) return content
    const made = await target.stage(file.path, content.value.chunks)
    const failure = content.value.failure()
    if (failure === null && (!isThorough || (await made.hash()) === file.sha256)) return ok(made)
    await made.drop()
    if (failure !== null) return fail(failure)
    if (isLastAttempt) return fail({ kind: 'unreliable_target', path: file.path })
    lost.push(file.path)
    return staged(file, true)
  }

  const blobs = wanted.filter((file) => file.kind === 'blob')
  const texts = wanted.filter(({ kind }) => kind === 'text')
  /** New files that no page shows yet. */
  const unseen = new Set<string>()
  async function fill(): Promise<ExportFailure | null> {
    for (const folder of folders) await target.makeFolder(folder)
    const failed = await inParallel(copies, blobs, async (file) => {
      tell()
      const blob = await staged(file)
      if (!blob.ok) return blob.failure
      try {
        blob.value.place()
        if (added.has(file.path)) unseen.add(file.path)
        return null
      } finally {
        await blob.value.drop()
      }
    })
    if (failed !== null) return failed
    await syncFolders(target, foldersOf(blobs.map(({ path }) => path)))
    const stage = (file: BundleFile) => {
      tell()
      return staged(file)
    }
    return placeTexts(target, { texts, added, folders }, { stage, begins: () => unseen.clear() })
  }
  try {
    const failure = await fill()
    if (failure !== null) return fail(failure)
  } catch (error) {
    // They may be what fills the disk.
    if (isSystemError(error)) await removeFiles(target, unseen, folders).catch(() => undefined)
    throw error
  }

  await removeFiles(target, stale, foldersOf(owned.unfinished ? owned.paths : stale))
  await target.remove(bundlePath.journal)
  if ((await target.inspect(bundlePath.earlierJournal)).kind === 'file') await target.remove(bundlePath.earlierJournal)
  await target.clean([])
  await target.syncFolder('')
  return ok([...new Set([...wrong, ...lost])])
}

/** Removes files, and those of the folders that are empty then. */
async function removeFiles(target: TargetFolder, files: Iterable<string>, folders: readonly string[]): Promise<void> {
  for (const path of files) await target.remove(path)
  for (const folder of folders.toReversed()) await target.removeFolder(folder)
}

/** Moves texts only after all of them are complete next to their final paths. */
async function placeTexts(
  target: TargetFolder,
  {
    texts,
    added,
    folders,
  }: Pick<Comparison, 'added'> & { readonly texts: readonly BundleFile[]; readonly folders: readonly string[] },
  {
    stage,
    begins,
  }: {
    readonly stage: (file: BundleFile) => Promise<Result<StagedFile, ExportFailure>>
    /** Called before the first text takes its place. */
    readonly begins: () => void
  },
): Promise<ExportFailure | null> {
  const whole = new Map<string, StagedFile>()
  const drop = (): Promise<null> =>
    inParallel(copies, [...whole.values()], async (file) => {
      await file.drop()
      return null
    })
  try {
    const failure = await inParallel(copies, texts, async (file) => {
      const text = await stage(file)
      if (!text.ok) return text.failure
      whole.set(file.path, text.value)
      if (!added.has(file.path)) await text.value.keepReplaced()
      return null
    })
    if (failure !== null) return failure
    // No cancelling from here on: only renames remain.
    begins()
    for (const [at, { path }] of texts.entries()) {
      if (at % renamesAtOnce === renamesAtOnce - 1) await nextTurn()
      // The files that the manifest names must be on disk before the manifest.
      if (path === bundlePath.manifest) await syncFolders(target, ['', ...folders])
      whole.get(path)?.place()
    }
    await syncFolders(target, whole.has(bundlePath.manifest) ? [''] : ['', ...folders])
    return null
  } finally {
    await drop()
  }
}

const syncFolders = (target: TargetFolder, paths: readonly string[]) =>
  inParallel(copies, paths, async (folder) => {
    await target.syncFolder(folder)
    return null
  })
