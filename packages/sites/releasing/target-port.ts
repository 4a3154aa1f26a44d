import type { Readable } from 'node:stream'
import { hasBundleFileName } from '@galley/library/records'
import type { FileCounts } from '@galley/library/records'
import type { OutgoingFile } from '@galley/platform'
import { cacheControl, pageMediaType } from '@galley/wire'

import type { TargetNote } from '../bundle/manifest.ts'
import type { Claim } from './claim.ts'
import type { HeldFile, ReleaseFile } from './release-record.ts'

/** The files of a release and their bytes, which may be read more than once. */
export interface OutgoingRelease {
  readonly files: readonly ReleaseFile[]
  /** What the target says of the release once it is complete. */
  readonly note: TargetNote
  /** Some of the bytes of a file; destroyed with an error if they do not match the saved hash. */
  read(file: ReleaseFile, offset: number, sizeBytes: number): Readable & { readonly bytesRead?: number }
}

/** Why a file of the target changes, as a stable code. */
export type ChangeReason =
  /** The target has no such file. */
  | 'new'
  /** Its content differs. */
  | 'content'
  /** An interrupted publication may have written it. */
  | 'unfinished'
  /** The target has lost it. */
  | 'missing'
  /** The target's file is not the one that was written. */
  | 'altered'
  /** The target's copy needs another encoding. */
  | 'form'
  /** The site no longer has this file. */
  | 'gone'

export interface PlannedChange {
  readonly path: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly reason: ChangeReason
  readonly bytes: number
}

export interface TargetPlan {
  readonly counts: FileCounts
  readonly changes: readonly PlannedChange[]
  /** What the last finished publication wrote there, from any library and under any name of the target. */
  readonly held: readonly HeldFile[]
  /** What the target says of it; null: it says nothing. */
  readonly note: TargetNote | null
  /** A publication was killed there: even without changes, an update has something to clear up. */
  readonly isUnfinished: boolean
}

/** Whether a file is only sent again because the target lacks it. */
export const isRepair = ({ reason }: PlannedChange): boolean => reason === 'missing' || reason === 'altered'

/** The counts of a plan, of the site's own files only. */
export function countsOf(files: readonly ReleaseFile[], changes: readonly PlannedChange[]): FileCounts {
  const of = (wanted: PlannedChange['change']): number => changes.filter(({ change }) => change === wanted).length
  const [added, changed, removed] = [of('added'), of('changed'), of('removed')]
  return {
    files: files.length,
    added,
    changed,
    removed,
    unchanged: files.length - added - changed,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** An update of a target that has begun. At each moment, readers see each page in its old or its new version. */
export interface Update {
  /** Puts everything that may fail for want of room where readers do not see it yet; takes it back if that fails. */
  put(): Promise<void>
  /** Shows it, pages last: a folder by renames alone, a bucket and a server by replacing one page after another. */
  switch(): Promise<void>
}

/** Updates a target to match a release. */
export async function update(
  target: Pick<ReleaseTarget, 'begin'>,
  ...about: Parameters<ReleaseTarget['begin']>
): Promise<void> {
  const begun = await target.begin(...about)
  await begun?.put()
  await begun?.switch()
}

/** A target of publications, while it is connected. Target and network faults are thrown as storage faults. */
export interface ReleaseTarget {
  /** Compares the target with the release; writes nothing. Fails if what is there is not for this library to change. */
  plan(release: OutgoingRelease, claim: Claim, signal: AbortSignal): Promise<TargetPlan>
  /** Notes on the target what a release may change; null: nothing. `sent` is called for each file that was sent. */
  begin(release: OutgoingRelease, signal: AbortSignal, sent?: () => void): Promise<Update | null>
  /** Runs after the check: deletes obsolete files and records the release as current. */
  finish(release: OutgoingRelease): Promise<void>
  /** Whether an update may have changed anything that readers see. */
  isTouched(): boolean
  /**
   * Whether a media file is in its place, judged by its size and other properties that the target reports without
   * sending it.
   */
  has(release: OutgoingRelease, file: ReleaseFile): Promise<boolean>
  /** SHA-256 of the target's file; null if it does not exist. */
  hash(path: string): Promise<string | null>
  /**
   * Writes a small file that is not part of any release; the returned function deletes it. Deletes what killed processes
   * left of the same kind, see `probeFile`.
   */
  probe(path: string, text: string): Promise<() => Promise<void>>
  /** Whether readers miss a file for a moment while it is replaced, as far as `probe` and an update have seen. */
  hasGaps?(): boolean
  close(): Promise<void>
}

/** A file of a release as a store takes it. */
export const outgoing = (release: OutgoingRelease, file: ReleaseFile): OutgoingFile => ({
  path: file.path,
  bytes: file.bytes,
  sha256: file.sha256,
  headers: {
    'content-type': pageMediaType(file.path),
    'cache-control': hasContentHash(file.path) ? cacheControl.immutable : cacheControl.changing,
  },
  isText: isText(file.path),
  read: (offset, sizeBytes) => release.read(file, offset, sizeBytes),
})

/** Whether other content would have another name. */
export const hasContentHash = (path: string): boolean =>
  hasBundleFileName(path) || /^theme\/(?:[a-z0-9-]+-)?[0-9a-f]{16}\./.test(path)

/** Texts are replaced together at the end. The names of all other files change with their content. */
export const isText = (path: string): boolean =>
  !hasBundleFileName(path) && /(?:^|\/)[^/.]+$|\.(?:html|css|xml|txt|json|js|mjs|svg|webmanifest)$/.test(path)

/** In the order in which files may become visible: what pages need, pages, and files that lead to pages. */
export function inOrder(files: readonly ReleaseFile[]): readonly (readonly ReleaseFile[])[] {
  const isPage = ({ path }: ReleaseFile): boolean => path.endsWith('.html')
  const leads = ({ path }: ReleaseFile): boolean => path === 'index.html' || /\.(?:xml|json|txt)$/.test(path)
  return [
    files.filter((file) => !isPage(file) && !leads(file)),
    files.filter((file) => isPage(file) && !leads(file)),
    files.filter(leads),
  ]
}

/** Pages are deleted before the media that they need. */
export const removalOrder = (paths: readonly string[]): readonly string[] =>
  paths.toSorted((a, b) => Number(b.endsWith('.html')) - Number(a.endsWith('.html')))
