import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import { brokenLink } from './broken-link.ts'
import { count, shortList } from './logged-values.ts'

// A release: the files that one publication wrote to a target.

/** What an export or a publication finds and does, in files. `bytes` is the size of the whole site. */
export const fileCounts = z.object({
  files: count,
  added: count,
  changed: count,
  removed: count,
  unchanged: count,
  bytes: count,
})
export type FileCounts = Readonly<z.output<typeof fileCounts>>

/** How many broken references of a publication the history keeps. */
export const brokenLinksKept = 100

/** The link check of a publication; at most `brokenLinksKept` are listed. */
export const releaseLinks = z.object({ checked: count, broken: count, list: shortList(brokenLink, brokenLinksKept) })
export type ReleaseLinks = Readonly<z.output<typeof releaseLinks>>

/** The version of a page in the last release of a target. */
export interface OnlinePage {
  readonly target: string
  readonly versionId: VersionId
  /** The number of that version in the material's timeline. */
  readonly number: number
  /** When the first release that has had this version ever since was published, ISO 8601 UTC. */
  readonly since: string
}

/** A release in the history. */
export interface Release {
  readonly id: string
  readonly site: SiteId
  readonly target: string
  readonly at: string
  /** SHA-256 of its list of files. */
  readonly record: string
  /** The release that it restores; null if it is not a rollback. */
  readonly rollbackOf: string | null
  readonly by: 'person' | 'schedule'
  readonly counts: FileCounts
  readonly pages: readonly { readonly materialId: MaterialId; readonly versionId: VersionId }[]
  /** Null for a rollback, whose files were checked before. */
  readonly links: ReleaseLinks | null
}
