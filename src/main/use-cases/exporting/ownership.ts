import { journalPath, readJournal } from '../../../contract/domain/bundle/journal.ts'
import type { ManifestFile } from '../../../contract/domain/bundle/manifest.ts'
import { readManifest } from '../../../contract/domain/bundle/manifest.ts'
import { bundlePath } from '../../../contract/domain/bundle/paths.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import { isTemporaryName } from '../../platform/disk/disk.ts'
import type { TargetFolder } from './target-folder.ts'

/** Which files of a target are ours to replace and remove. */
export interface Ownership {
  /** Of the last finished export; empty when there was none. */
  readonly finished: ReadonlyMap<string, ManifestFile>
  /** Paths of the manifest and of an unfinished export together. */
  readonly paths: ReadonlySet<string>
  readonly unfinished: boolean
}

/** What desktops drop into folders that are merely looked at, and what makes an empty folder one to publish from. */
const stays = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', '.git', '.nojekyll', 'CNAME'])

/** Reads a target that exists. Ours is one that is empty, has our manifest, or has the journal of an export of ours. */
export async function readOwnership(target: TargetFolder): Promise<Result<Ownership, string>> {
  const manifest = await ourText(target, bundlePath.manifest)
  const journal = await ourText(target, journalPath)
  if (manifest === null && journal === null) {
    const others = (await target.list()).filter((name) => !stays.has(name) && !isTemporaryName(name))
    return others.length === 0
      ? ok({ finished: new Map(), paths: new Set(), unfinished: false })
      : fail('is not empty and holds no bundle of Galley')
  }
  const files = manifest === null ? [] : readManifest(manifest)
  if (files === null) return fail(`has a ${bundlePath.manifest} that Galley did not write`)
  const pending = journal === null ? [] : readJournal(journal)
  if (pending === null) return fail(`has a ${journalPath} that Galley did not write`)
  return ok({
    finished: new Map(files.map((file) => [file.path, file])),
    paths: new Set([...files.map(({ path }) => path), ...pending]),
    unfinished: journal !== null,
  })
}

/** Larger than the manifest of a million files; a planted monster is not read. */
const maxBytes = 256 * 1024 ** 2

/** The text of a plain file, '' for anything else that has the name, null for nothing. */
async function ourText(target: TargetFolder, path: string): Promise<string | null> {
  const place = await target.look(path)
  if (place.kind === 'free') return null
  return place.kind === 'file' && place.sizeBytes <= maxBytes ? target.readText(path) : ''
}
