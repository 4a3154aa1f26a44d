import { z } from 'zod'

import type { MaterialId, SiteId, VersionId } from '../ids.ts'

// A release: what one publication of a site put on one of its targets.

/** How many files a publication adds, replaces, removes and leaves as they are; bytes of the whole site. */
export const releaseCounts = z.object({
  files: z.int().min(0),
  added: z.int().min(0),
  changed: z.int().min(0),
  removed: z.int().min(0),
  unchanged: z.int().min(0),
  bytes: z.int().min(0),
})
export type ReleaseCounts = Readonly<z.output<typeof releaseCounts>>

/** A release as the history shows it. */
export interface Release {
  readonly id: string
  readonly site: SiteId
  readonly target: string
  readonly at: string
  /** SHA-256 of the text that lists its files. */
  readonly record: string
  /** The release whose files it holds again; null: it is none that was rolled back to. */
  readonly rollbackOf: string | null
  readonly by: 'person' | 'schedule'
  readonly counts: ReleaseCounts
  readonly pages: readonly { readonly materialId: MaterialId; readonly versionId: VersionId }[]
}
