import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isInLibrary } from '@galley/library'
import type { ExportFailure } from '@galley/library/records'
import { bundlePath, compare, unfinishedFolder } from '@galley/library/records'
import type { Disk } from '@galley/platform'
import { isSystemError } from '@galley/platform'
import type { Result } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

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
    return fail({ code: 'not_ours', target: directory, problem: cause('destination_not_folder') })
  }
  // Backups and moves of the library would not treat the pages as a site.
  if (await isInLibrary(root))
    return fail({ code: 'not_ours', target: directory, problem: cause('destination_in_library') })
  const target = createTargetFolder(root, disk)
  const none = { finished: new Map(), paths: new Set<string>(), unfinished: false }
  const { publication } = checks
  const read = async () => (publication ? ok(await publication.ownershipOf(target)) : readOwnership(target))
  const owned = found === null ? ok(none) : await read()
  if (!owned.ok) return fail({ code: 'not_ours', target: directory, problem: owned.failure })
  const compared = await compareFolder(target, bundle.files, owned.value, checks)
  if (!compared.ok) return compared
  return ok({ ...compared.value, files: bundle.files, target, owned: owned.value, isThere: found !== null })
}

/** An update of a folder, which has noted what it may change. */
interface FolderUpdate {
  /** Writes everything that readers do not see yet. A failure leaves nothing half-written, and has changed no page. */
  put(): Promise<ExportFailure | null>
  /** Shows it, and removes what is obsolete. Returns the files that were damaged. */
  switch(): Promise<readonly string[]>
}

/**
 * Updates a folder to match a bundle, writing only what differs, and returns the files that were damaged. The order is safe at
 * every moment: stored files with names made from their hash, then styles, each page by rename, the manifest, and removals
 * last. So every page is always complete and finds its files.
 */
export async function writeFolder(
  plan: FolderPlan,
  checks: CheckOptions,
): Promise<Result<readonly string[], ExportFailure>> {
  const update = await beginFolder(plan, checks)
  if (update === null) return ok(plan.wrong)
  const failure = await update.put()
  return failure === null ? ok(await update.switch()) : fail(failure)
}

/**
 * Begins an update; null: there is nothing to update. All texts are first written to a folder beside them, and read back there
 * if asked. A cancelled or failed run has therefore changed no page and no manifest. A journal records which files are ours
 * meanwhile; a later run continues from it.
 */
export async function beginFolder(plan: FolderPlan, checks: CheckOptions): Promise<FolderUpdate | null> {
  const { files, wanted, added, stale, wrong, target, owned, isThere } = plan
  const { watch, publication } = checks
  if (isThere) await target.clean(owned.unfinished ? foldersOf(owned.paths) : [])
  if (wanted.length === 0 && stale.length === 0 && !owned.unfinished) return null

  const paths = new Set([...owned.paths, ...files.map(({ path }) => path)])
  await target.makeFolder('')
  await target.makeUnfinishedFolder()
  await target.put(bundlePath.journal, bytesOf(journalText([...paths].toSorted(compare), publication?.owner)))
  await syncFolders(target, [unfinishedFolder, ''])

  const folders = foldersOf(wanted.map(({ path }) => path))
  const blobs = wanted.filter((file) => file.kind === 'blob')
  const texts = wanted.filter(({ kind }) => kind === 'text')
  const { stage, lost } = stager(target, checks)
  /** New files that no page shows yet. */
  const unseen = new Set<string>()
  const whole = new Map<string, StagedFile>()
  let written = 0
  const tell = (): void => watch('writing', written++, wanted.length, 'files')

  async function putBlob(file: BundleFile): Promise<ExportFailure | null> {
    tell()
    const blob = await stage(file)
    if (!blob.ok) return blob.failure
    try {
      blob.value.place()
      if (added.has(file.path)) unseen.add(file.path)
      return null
    } finally {
      await blob.value.drop()
    }
  }

  async function stageText(file: BundleFile): Promise<ExportFailure | null> {
    tell()
    const text = await stage(file)
    if (!text.ok) return text.failure
    whole.set(file.path, text.value)
    if (!added.has(file.path)) await text.value.keepReplaced()
    return null
  }

  async function fill(): Promise<ExportFailure | null> {
    for (const folder of folders) await target.makeFolder(folder)
    const failed = await inParallel(copies, blobs, putBlob)
    if (failed !== null) return failed
    await syncFolders(target, foldersOf(blobs.map(({ path }) => path)))
    return inParallel(copies, texts, stageText)
  }

  return {
    async put() {
      let isWhole = false
      try {
        const failure = await fill()
        isWhole = failure === null
        return failure
      } catch (error) {
        // They may be what fills the disk.
        if (isSystemError(error)) await removeFiles(target, unseen, folders).catch(() => undefined)
        throw error
      } finally {
        if (!isWhole) await dropAll(whole)
      }
    },
    async switch() {
      try {
        await placeTexts(target, texts, whole, folders)
      } finally {
        await dropAll(whole)
      }
      await removeFiles(target, stale, foldersOf(owned.unfinished ? owned.paths : stale))
      await target.remove(bundlePath.journal)
      await target.clean([])
      await target.syncFolder('')
      return [...new Set([...wrong, ...lost])]
    },
  }
}

/** Writes files beside their places. With a thorough check, reads each back and rewrites it once if necessary. */
function stager(target: TargetFolder, { isThorough }: CheckOptions) {
  /** Files that the disk did not store correctly at the first attempt. */
  const lost: string[] = []
  async function stage(file: BundleFile, isLastAttempt = !isThorough): Promise<Result<StagedFile, ExportFailure>> {
    const content = await contentOf(file)
    if (!content.ok) return content
    const made = await target.stage(file.path, content.value.chunks)
    const failure = content.value.failure()
    if (failure === null && (!isThorough || (await made.hash()) === file.sha256)) return ok(made)
    await made.drop()
    if (failure !== null) return fail(failure)
    if (isLastAttempt) return fail({ code: 'unreliable_target', path: file.path })
    lost.push(file.path)
    return stage(file, true)
  }
  return { stage, lost }
}

/** Removes files, and those of the folders that are empty then. */
async function removeFiles(target: TargetFolder, files: Iterable<string>, folders: readonly string[]): Promise<void> {
  for (const path of files) await target.remove(path)
  for (const folder of folders.toReversed()) await target.removeFolder(folder)
}

/** Moves texts to their places, which only renames, so it cannot be cancelled. */
async function placeTexts(
  target: TargetFolder,
  texts: readonly BundleFile[],
  whole: ReadonlyMap<string, StagedFile>,
  folders: readonly string[],
): Promise<void> {
  for (const [at, { path }] of texts.entries()) {
    if (at % renamesAtOnce === renamesAtOnce - 1) await nextTurn()
    // The files that the manifest names must be on disk before the manifest.
    if (path === bundlePath.manifest) await syncFolders(target, ['', ...folders])
    whole.get(path)?.place()
  }
  await syncFolders(target, whole.has(bundlePath.manifest) ? [''] : ['', ...folders])
}

const dropAll = (staged: ReadonlyMap<string, StagedFile>) =>
  inParallel(copies, [...staged.values()], async (file) => {
    await file.drop()
    return null
  })

const syncFolders = (target: TargetFolder, paths: readonly string[]) =>
  inParallel(copies, paths, async (folder) => {
    await target.syncFolder(folder)
    return null
  })
