import type { Readable } from 'node:stream'

import type { ReleaseFile } from '../../../contract/domain/bundle/release-record.ts'
import type { ReleaseCounts } from '../../../contract/domain/release.ts'

/** A file of a release with its bytes, which may be read more than once. */
export interface OutgoingRelease {
  readonly files: readonly ReleaseFile[]
  /** Some of the bytes of a file; destroyed with an error when they are not what was saved. */
  read(file: ReleaseFile, offset: number, sizeBytes: number): Readable & { readonly bytesRead?: number }
}

/** Why a file of the target changes, by a stable word. */
export type ChangeReason =
  /** The target has no such file. */
  | 'new'
  /** Its content differs. */
  | 'content'
  /** A publication was stopped while it may have written it. */
  | 'unfinished'
  /** The target's copy is to be stored in another form. */
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
  readonly counts: ReleaseCounts
  readonly changes: readonly PlannedChange[]
}

/** What a plan comes to, of the files of the site alone. */
export function countsOf(files: readonly ReleaseFile[], changes: readonly PlannedChange[]): ReleaseCounts {
  const of = (wanted: PlannedChange['change']): number => changes.filter(({ change }) => change === wanted).length
  const [added, changed, removed] = [of('added'), of('changed'), of('removed')]
  return {
    ...{ files: files.length, added, changed, removed },
    unchanged: files.length - added - changed,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** A place that bundles are published to, while it is connected. Faults of target and network are thrown as storage faults. */
export interface ReleaseTarget {
  /** Holds the target against a release; writes nothing. */
  plan(release: OutgoingRelease): Promise<TargetPlan>
  /** Brings the target to the release, pages last. Readers see every page old or new at each moment. */
  write(release: OutgoingRelease, signal: AbortSignal): Promise<void>
  /** Runs after the check: deletes obsolete files and records the release as current. */
  finish(release: OutgoingRelease): Promise<void>
  /** Whether `write` may have changed anything that readers see. */
  isTouched(): boolean
  /** Whether a media file is in its place, by its size and whatever else the target tells without sending it. */
  has(release: OutgoingRelease, file: ReleaseFile): Promise<boolean>
  /** SHA-256 of what the target has there; null: nothing. */
  hash(path: string): Promise<string | null>
  /** Writes a small file that is not part of any release; the returned function deletes it. */
  probe(path: string, text: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Texts are replaced together at the end; everything else has a name that changes with its content. */
export const isText = (path: string): boolean =>
  !/^(?:media|fonts)\/[0-9a-f]{32}/.test(path) &&
  /(?:^|\/)[^/.]+$|\.(?:html|css|xml|txt|json|js|mjs|svg|webmanifest)$/.test(path)

/** In the order in which they may become visible: what pages need, pages, and last what leads to pages. */
export function inOrder(files: readonly ReleaseFile[]): readonly (readonly ReleaseFile[])[] {
  const isPage = ({ path }: ReleaseFile): boolean => path.endsWith('.html')
  const leads = ({ path }: ReleaseFile): boolean => path === 'index.html' || /\.(?:xml|json|txt)$/.test(path)
  return [
    files.filter((file) => !isPage(file) && !leads(file)),
    files.filter((file) => isPage(file) && !leads(file)),
    files.filter(leads),
  ]
}

/** Media of pages before the pages that need them go. */
export const removalOrder = (paths: readonly string[]): readonly string[] =>
  paths.toSorted((a, b) => Number(b.endsWith('.html')) - Number(a.endsWith('.html')))
