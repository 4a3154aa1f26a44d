import { bundlePath, unfinishedFolder } from '@galley/library/records'
import { isProbeFolder, isTemporaryName } from '@galley/platform'
import type { Cause, Result } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

import type { ManifestFile } from '../bundle/manifest.ts'
import { readManifest } from '../bundle/manifest.ts'
import { readJournal } from './journal.ts'
import type { TargetFolder } from './target-folder.ts'

/** Which files of a target are ours to replace and delete. */
export interface Ownership {
  /** Files of the last finished export; empty if there was none. */
  readonly finished: ReadonlyMap<string, ManifestFile>
  /** Paths of the manifest and of an unfinished export together. */
  readonly paths: ReadonlySet<string>
  readonly unfinished: boolean
}

/** Files that desktops create in folders that are opened, and files that prepare an empty folder for publishing. */
const stays = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', '.git', '.nojekyll', 'CNAME'])

/** Whether a name in a folder means that it is not empty. */
const isContent = (name: string): boolean =>
  !stays.has(name) && name !== unfinishedFolder && !isTemporaryName(name) && !isProbeFolder(name)

/** What Galley wrote about a target that exists. */
export interface OwnTexts {
  readonly manifest: string | null
  readonly ownership: Ownership
  /** The site whose publication was interrupted; null: none, or that of an export. */
  readonly interrupted: string | null
}

/** Reads the manifest, and the journal of an interrupted export. */
export async function readOwnTexts(target: TargetFolder): Promise<Result<OwnTexts, Cause>> {
  const manifest = await ourText(target, bundlePath.manifest)
  const journal = await ourText(target, bundlePath.journal)
  const files = manifest === null ? [] : readManifest(manifest)
  if (files === 'newer') return fail(cause('newer_galley', { name: bundlePath.manifest }))
  if (files === null) return fail(cause('destination_file', { name: bundlePath.manifest }))
  const pending = journal === null ? { owner: null, paths: [] } : readJournal(journal)
  if (pending === null) return fail(cause('destination_file', { name: bundlePath.journal }))
  const ownership = {
    finished: new Map(files.map((file) => [file.path, file])),
    paths: new Set([
      ...files.map(({ path }) => path),
      ...pending.paths,
      // An empty release removes it too.
      ...(manifest === null ? [] : [bundlePath.manifest]),
    ]),
    unfinished: journal !== null,
  }
  return ok({ manifest, ownership, interrupted: pending.owner })
}

/** Reads a target that exists. It is ours if it is empty, or has our manifest or the journal of one of our exports. */
export async function readOwnership(target: TargetFolder): Promise<Result<Ownership, Cause>> {
  const read = await readOwnTexts(target)
  if (!read.ok) return read
  const { manifest, ownership } = read.value
  const isEmpty = async (): Promise<boolean> => !(await target.list()).some(isContent)
  return manifest !== null || ownership.unfinished || (await isEmpty())
    ? ok(ownership)
    : fail(cause('destination_not_empty'))
}

/** More than the manifest of a million files. A larger file, planted by someone, is not read. */
const maxBytes = 256 * 1024 ** 2

/** The text of a regular file; '' if anything else has the name; null if nothing does. */
async function ourText(target: TargetFolder, path: string): Promise<string | null> {
  const place = await target.inspect(path)
  if (place.kind === 'free') return null
  return place.kind === 'file' && place.sizeBytes <= maxBytes ? target.readText(path) : ''
}
