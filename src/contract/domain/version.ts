import type { VerdictKind } from './outgoing.ts'
import type { Remark } from './remark.ts'
import type { MaterialId, Sha256, SiteId, VersionId } from '../ids.ts'

/** What is told of a saved state wherever it is shown; sizes in bytes, `receivedAt` in ISO 8601 UTC. */
export interface VersionFacts {
  readonly versionId: VersionId
  /** As the service wrote it, or null when it gave none. */
  readonly versionCdate: string | null
  readonly receivedAt: string
  readonly userEmail: string | null
  readonly mediaCount: number
  /** HTML, state and media together. */
  readonly sizeBytes: number
  readonly current: boolean
}

/** One saved state of a material with the hashes of its parts. */
export interface VersionSummary extends VersionFacts {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly htmlSha256: Sha256
  /** Of the archive as received. */
  readonly archiveSha256: Sha256
  /** Of the archive as kept, without callback credentials; equal to `archiveSha256` when there were none. */
  readonly keptSha256: Sha256
  readonly warnings: readonly Remark[]
  readonly verdict: VerdictKind
  /** Of its page; null: it has none, or an early version of Galley did not record it. */
  readonly heading: string | null
  readonly publicUrls: Readonly<Record<string, string>>
}

/** One media file of a version. */
export interface MediaFile {
  /** Its name inside `vms_media/`; may hold `/`. */
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: Sha256
  readonly url: string
}

/** Milliseconds since 1970 of a `version_cdate`, or null when it cannot be read as a moment. */
export function cdateMs(versionCdate: string | null): number | null {
  if (versionCdate === null) return null
  // One without an offset is in UTC: in the time zone of the machine it would be another moment on each.
  const hasOffset = /(?:[a-z]|[+-]\d\d:?\d\d)$/i.test(versionCdate)
  const ms = Date.parse(hasOffset ? versionCdate : `${versionCdate}Z`)
  return Number.isNaN(ms) ? null : ms
}

/** When a version was made: as the service says, or else when it was received; ISO 8601 UTC. */
export function versionMoment({ versionCdate, receivedAt }: Pick<VersionFacts, 'versionCdate' | 'receivedAt'>): string {
  const ms = cdateMs(versionCdate) ?? cdateMs(receivedAt)
  return ms === null ? '' : new Date(ms).toISOString()
}
