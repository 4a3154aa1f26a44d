import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { GivenVerdict } from '../records/fields.ts'
import type { TextPiece } from './materials.ts'

/** The kinds of results. `reason`: a decision, found by its reason or by who decided. `person`: the person who saved a current version. */
export const searchKinds = ['title', 'page', 'comment', 'reason', 'person', 'callback'] as const

export type SearchKind = (typeof searchKinds)[number]

export interface SearchQuery {
  /** null: all sites. */
  readonly site: SiteId | null
  readonly text: string
  readonly kinds: readonly SearchKind[]
  /** The versions whose pages are searched; `newest`: of each material, the newest one that has the words. */
  readonly versions: 'current' | 'newest' | 'all'
  /** Of each kind. */
  readonly limit: number
}

/** What a search has found; times in ISO 8601 UTC. */
export interface SearchFound {
  readonly kind: SearchKind
  readonly site: SiteId
  readonly materialId: MaterialId | null
  /** Of the material, as it is shown; null if it is none of the library. */
  readonly title: string | null
  readonly versionId: VersionId | null
  /** The number of the version, where it is not the current one. */
  readonly olderNumber: number | null
  /** Of the comment or callback. */
  readonly id: string | null
  /** Who said or saved it; empty after the name was erased. */
  readonly by: string | null
  /** Null: it is no decision. */
  readonly decision: GivenVerdict['decision'] | null
  readonly excerpt: readonly TextPiece[]
  readonly at: string | null
}

/** Best first within each kind, kinds in the order of `searchKinds`. */
export interface SearchAnswer {
  readonly found: readonly SearchFound[]
  /** How many different stored pages are not in the search yet. Current ones are found all the same. */
  readonly unread: number
}
