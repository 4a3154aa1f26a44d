import { constants } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isInLibrary } from '@galley/library'
import type { ExportFailure, FileCounts } from '@galley/library/records'
import { bundlePath, compare } from '@galley/library/records'
import { createZip, makeFolder, realDisk, syncFolder, unfinishedBeside } from '@galley/platform'
import type { CauseCode, Result } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

import type { Bundle } from './bundle.ts'
import type { CheckOptions } from './compare-folder.ts'
import type { BundleFile } from './content.ts'
import { contentOf } from './content.ts'
import { damagedIn, earlierZip, zipComment } from './earlier-zip.ts'
import type { Watch } from './watch.ts'

/** The hashes of the files in the ZIP to be replaced, by path; none if there is no ZIP yet. */
export async function zipToReplace(path: string): Promise<Result<ReadonlyMap<string, string>, ExportFailure>> {
  const place = resolve(path)
  const found = await realDisk.inspect(place)
  const notOurs = (code: CauseCode) => fail<ExportFailure>({ code: 'not_ours', target: path, problem: cause(code) })
  if (found !== null && found.kind !== 'file') return notOurs('destination_not_file')
  if (await isInLibrary(dirname(place))) return notOurs('destination_in_library')
  const earlier = found === null || found.sizeBytes === 0 ? new Map<string, string>() : await earlierZip(place)
  if (earlier === 'newer')
    return fail({ code: 'not_ours', target: path, problem: cause('newer_galley', { name: bundlePath.manifest }) })
  return earlier === null ? notOurs('destination_other_file') : ok(earlier)
}

/**
 * Writes a bundle as a ZIP beside its place and moves it there once it is complete. Returns the files that were damaged in the
 * one that it replaces, whose hashes are given.
 */
export async function writeZip(
  path: string,
  bundle: Bundle,
  replaced: ReadonlyMap<string, string>,
  { isThorough, watch }: CheckOptions,
): Promise<Result<readonly string[], ExportFailure>> {
  const place = resolve(path)
  const wrong = isThorough && replaced.size > 0 ? await damagedIn(place, replaced, watch) : []

  const folder = dirname(place)
  await makeFolder(folder)
  const files = bundle.files.toSorted((a, b) => compare(a.path, b.path))
  const unfinished = await unfinishedBeside(place)
  try {
    const failure = await writeFiles(unfinished.path, files, watch)
    if (failure !== null) return fail(failure)
    if (isThorough) {
      // A wrong file was never in its place. The caller writes the ZIP again.
      const written = new Map(files.map((file) => [file.path, file.sha256]))
      const [lost] = await damagedIn(unfinished.path, written, watch)
      if (lost !== undefined) return fail({ code: 'unreliable_target', path: lost })
    }
    await rename(unfinished.path, place)
  } finally {
    await unfinished.discard()
  }
  await syncFolder(folder)
  return ok(wrong)
}

async function writeFiles(path: string, files: readonly BundleFile[], watch: Watch): Promise<ExportFailure | null> {
  await using file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o644)
  const zip = createZip(file)
  for (const [at, entry] of files.entries()) {
    watch('writing', at, files.length, 'files')
    const content = await contentOf(entry)
    if (!content.ok) return content.failure
    await zip.add(entry.path, entry.bytes, content.value.chunks)
    const failure = content.value.failure()
    if (failure !== null) return failure
  }
  await zip.finish(zipComment)
  await file.sync()
  return null
}

/** A ZIP is always written completely; the counts say what differs from the previous one. */
export function zipCounts(files: readonly BundleFile[], earlier: ReadonlyMap<string, string>): FileCounts {
  const added = files.filter(({ path }) => !earlier.has(path)).length
  const unchanged = files.filter(({ path, sha256 }) => earlier.get(path) === sha256).length
  return {
    files: files.length,
    added,
    changed: files.length - added - unchanged,
    removed: earlier.size - (files.length - added),
    unchanged,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
