import type { MaterialId, SiteId, VersionId } from '@galley/wire'

/** The editing session of a material as known to Galley. Times in ISO 8601 UTC. */
export interface MaterialSession {
  readonly sessionId: string
  readonly fingerprint: string
  readonly url: string
  readonly lastAccess: string
  /** A lower bound: the service also counts accesses that Galley does not see. */
  readonly keptUntil: string
}

/** A row in the list of materials. */
export interface MaterialSummary {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string
  readonly slug: string
  readonly versions: number
  readonly currentVersionId: VersionId | null
  /** When the current version was received, ISO 8601 UTC; null if nothing was saved yet. */
  readonly savedAt: string | null
  /** Since when it is archived, ISO 8601 UTC; null if it is not. */
  readonly archivedAt: string | null
  readonly session: MaterialSession | null
}
